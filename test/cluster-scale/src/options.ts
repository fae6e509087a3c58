import { parseArgs } from 'node:util';

export interface ScaleOptions {
  readonly nodes: number;
  readonly tasks: number;
  /** Services that the tasks are divided among. */
  readonly services: number;
  /** Tasks that are created and removed while the memory of the manager is watched; 0 for none. */
  readonly churn: number;
  /** Seconds for which everything is left alone. */
  readonly stableSeconds: number;
  /** A file for the figures, as JSON. */
  readonly json: string | undefined;
  /** A directory for profiles of the manager's processor time. */
  readonly profile: string | undefined;
}

/** @throws Error naming the option and its value. */
export function parseOptions(args: readonly string[]): ScaleOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      nodes: { type: 'string', default: '1000' },
      tasks: { type: 'string', default: '10000' },
      services: { type: 'string', default: '10' },
      churn: { type: 'string', default: '10000' },
      stable: { type: 'string', default: '30' },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  return {
    nodes: toCount('nodes', values.nodes),
    tasks: toCount('tasks', values.tasks),
    services: toCount('services', values.services),
    churn: values.churn === '0' ? 0 : toCount('churn', values.churn),
    stableSeconds: toCount('stable', values.stable),
    json: values.json,
    profile: values.profile,
  };
}

function toCount(option: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${option}: "${text}" is not a positive whole number`);
  return count;
}
