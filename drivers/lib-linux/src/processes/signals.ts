import { constants } from 'node:os';

/** The C library keeps 32 and 33 for itself. */
export const firstRealTimeSignal = 34;
export const lastRealTimeSignal = 64;

const numbers: ReadonlyMap<string, number> = new Map([
  ...Object.entries(constants.signals),
  ['SIGCLD', constants.signals.SIGCHLD],
  ['SIGRTMIN', firstRealTimeSignal],
  ['SIGRTMAX', lastRealTimeSignal],
  ...Array.from({ length: 15 }, (_, index) => [`SIGRTMIN+${index + 1}`, firstRealTimeSignal + index + 1] as const),
  ...Array.from({ length: 14 }, (_, index) => [`SIGRTMAX-${index + 1}`, lastRealTimeSignal - index - 1] as const),
]);

/** Those with two names have the first one that is meant today. */
const names: ReadonlyMap<number, string> = new Map(
  [...numbers].filter(([name]) => !['SIGIOT', 'SIGPOLL', 'SIGUNUSED', 'SIGCLD'].includes(name)).map(swap),
);

function swap([name, number]: readonly [string, number]): [number, string] {
  return [number, name];
}

/**
 * The number of a signal as people write it: `SIGTERM`, `term`, `RTMIN+3`, `15`. Undefined when there is none, which
 * includes 0, for that asks instead of telling.
 */
export function signalNumber(signal: string | number): number | undefined {
  const text = `${signal}`.trim();
  if (/^\d+$/.test(text)) {
    const number = Number(text);
    return number >= 1 && number <= lastRealTimeSignal ? number : undefined;
  }
  const name = text.toUpperCase();
  return numbers.get(name.startsWith('SIG') ? name : `SIG${name}`);
}

/** `SIGTERM` for 15; undefined for numbers without a name. */
export function signalName(number: number): string | undefined {
  return names.get(number);
}
