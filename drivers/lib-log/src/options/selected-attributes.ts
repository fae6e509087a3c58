import type { LogContainer } from '@gantry/core/contracts';

type Selecting = Pick<LogContainer, 'labels' | 'env' | 'options'>;

/** The labels and variables that the options labels, env and their -regex forms ask for. A variable wins. */
export function selectedAttributes({ labels, env, options }: Selecting): Record<string, string> {
  const variables = Object.fromEntries(
    env.filter((entry) => entry.includes('=')).map((entry) => splitOnce(entry) as [string, string]),
  );
  return {
    ...pick(labels, options.labels, options['labels-regex']),
    ...pick(variables, options.env, options['env-regex']),
  };
}

function pick(
  from: Readonly<Record<string, string>>,
  names: string | undefined,
  pattern: string | undefined,
): Record<string, string> {
  const wanted = new Set(names?.split(','));
  const expression = pattern === undefined || pattern === '' ? undefined : new RegExp(pattern);
  return Object.fromEntries(Object.entries(from).filter(([name]) => wanted.has(name) || expression?.test(name)));
}

function splitOnce(entry: string): readonly [string, string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, at), entry.slice(at + 1)];
}
