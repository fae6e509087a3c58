import { constants } from 'node:os';
import { invalidArgument } from '@gantry/core/errors';

/** Real-time signals as the C library numbers them: the first two belong to it. */
const realTimeMin = 34;
const realTimeMax = 64;

const numbers: ReadonlyMap<string, number> = new Map([
  ...Object.entries(constants.signals).map(([name, number]) => [name.slice(3), number] as const),
  ['CLD', constants.signals.SIGCHLD],
  ...Array.from({ length: 16 }, (_, step) => [step === 0 ? 'RTMIN' : `RTMIN+${step}`, realTimeMin + step] as const),
  ...Array.from({ length: 15 }, (_, step) => [step === 0 ? 'RTMAX' : `RTMAX-${step}`, realTimeMax - step] as const),
]);

/**
 * Reads a signal's name, with or without SIG and in any case, or its number.
 * @throws EngineError `invalid-argument` ("Invalid signal: X").
 */
export function parseSignal(text: string | number): number {
  const word = String(text).trim();
  const number = /^\d{1,3}$/.test(word) ? Number(word) : numbers.get(word.toUpperCase().replace(/^SIG/, ''));
  if (number === undefined || number < 1 || number > realTimeMax) throw invalidArgument(`Invalid signal: ${text}`);
  return number;
}

export const SIGKILL = constants.signals.SIGKILL;
export const SIGTERM = constants.signals.SIGTERM;
