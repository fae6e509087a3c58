import { parseArgs } from 'node:util';

export interface AgeOptions {
  readonly days: number;
  /** In which these days pass. */
  readonly minutes: number;
  readonly managers: number;
  /** Simulated nodes, which are workers. */
  readonly nodes: number;
  /** That there are all year. */
  readonly services: number;
  /** Of each service. */
  readonly replicas: number;
  /** Configs of nearly a megabyte that are made and removed four times. */
  readonly largeConfigs: number;
  /** A file for the figures and all samples, as JSON. */
  readonly json?: string | undefined;
}

/** @throws Error naming the option and its value. */
export function parseAgeOptions(args: readonly string[]): AgeOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      days: { type: 'string', default: '365' },
      minutes: { type: 'string', default: '60' },
      managers: { type: 'string', default: '3' },
      nodes: { type: 'string', default: '30' },
      services: { type: 'string', default: '10' },
      replicas: { type: 'string', default: '5' },
      'large-configs': { type: 'string', default: '90' },
      json: { type: 'string' },
    },
  });
  return {
    days: toNumber('days', values.days),
    minutes: toNumber('minutes', values.minutes),
    managers: toNumber('managers', values.managers),
    nodes: toNumber('nodes', values.nodes),
    services: toNumber('services', values.services),
    replicas: toNumber('replicas', values.replicas),
    largeConfigs: toNumber('large-configs', values['large-configs']),
    json: values.json,
  };
}

function toNumber(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${option}: "${text}" is not a positive number`);
  return value;
}
