import type { LogContainer } from '@gantry/core/contracts';
import { renderTag } from './tag.js';

/** What each record of a container carries, by the options labels, env, their -regex forms and tag. In key order. */
export function attributesOf(container: LogContainer): Readonly<Record<string, string>> | undefined {
  const { labels, env, options } = container;
  const variables = Object.fromEntries(
    env.filter((entry) => entry.includes('=')).map((entry) => splitOnce(entry) as [string, string]),
  );
  const found: Record<string, string> = {
    ...pick(labels, options.labels, options['labels-regex']),
    ...pick(variables, options.env, options['env-regex']),
    ...(options.tag && { tag: renderTag(options.tag, container) }),
  };
  const keys = Object.keys(found).sort();
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, found[key] as string]));
}

/** As JSON with the same escapes as the text has. */
export const attributesJson = (attributes: Readonly<Record<string, string>>): string =>
  JSON.stringify(attributes).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

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
