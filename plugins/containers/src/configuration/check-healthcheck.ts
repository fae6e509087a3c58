import { invalidArgument } from '@gantry/core/errors';
import type { Healthcheck } from '../schema.js';

/** Nanoseconds. */
const shortest = 1_000_000;

/** @throws EngineError `invalid-argument`. */
export function checkHealthcheck(check: Healthcheck | undefined): void {
  if (check === undefined) return;
  for (const field of ['Interval', 'Timeout', 'StartPeriod', 'StartInterval'] as const) {
    const { [field]: length = 0 } = check;
    if (length !== 0 && length < shortest) throw invalidArgument(`${field} in Healthcheck cannot be less than 1ms`);
  }
  if ((check.Retries ?? 0) < 0) throw invalidArgument('Retries in Healthcheck cannot be negative');
  const [kind, ...words] = check.Test ?? [];
  if (kind === undefined || kind === 'NONE') return;
  if (kind !== 'CMD' && kind !== 'CMD-SHELL') {
    throw invalidArgument(`Healthcheck: Test begins with "${kind}", which is not NONE, CMD or CMD-SHELL`);
  }
  if (words.length === 0) throw invalidArgument(`Healthcheck: Missing command after ${kind}`);
}
