import { invalidArgument } from '@gantry/core/errors';
import { type ImageConfig, parseDuration } from '@gantry/images/service';
import type { Instruction } from './instruction.js';
import { parseList } from './words.js';

type Healthcheck = NonNullable<ImageConfig['Healthcheck']>;

const times = {
  interval: 'Interval',
  timeout: 'Timeout',
  'start-period': 'StartPeriod',
  'start-interval': 'StartInterval',
} as const;
const leastTime = 1_000_000;

/** What a HEALTHCHECK says. @throws EngineError `invalid-argument` without the line's number. */
export function parseHealthcheck({ rest, flags }: Instruction): Healthcheck {
  const [, type = '', command = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest.trim()) ?? [];
  if (type === '') throw invalidArgument('HEALTHCHECK requires at least one argument');
  if (/^none$/i.test(type)) {
    if (command !== '') throw invalidArgument('HEALTHCHECK NONE takes no arguments');
    return { Test: ['NONE'] };
  }
  if (!/^cmd$/i.test(type)) throw invalidArgument(`Unknown type "${type}" in HEALTHCHECK (try CMD)`);
  const list = parseList(command);
  if (command === '' || list?.length === 0) throw invalidArgument('Missing command after HEALTHCHECK CMD');
  const healthcheck: Record<string, unknown> = { Test: list === undefined ? ['CMD-SHELL', command] : ['CMD', ...list] };
  for (const [flag, field] of Object.entries(times)) {
    const value = flags.get(flag) ?? '';
    if (value !== '') healthcheck[field] = timeOf(flag, value);
  }
  const retries = flags.get('retries') ?? '';
  if (retries !== '') {
    if (!/^\+?0*[1-9]\d{0,8}$/.test(retries)) throw invalidArgument(`--retries must be at least 1 (not ${retries})`);
    healthcheck.Retries = Number(retries);
  }
  return healthcheck;
}

function timeOf(flag: string, text: string): number {
  const time = parseDuration(`HEALTHCHECK --${flag}`, text);
  if (time < leastTime) throw invalidArgument(`HEALTHCHECK --${flag}: "${text}" cannot be less than 1ms`);
  return time;
}
