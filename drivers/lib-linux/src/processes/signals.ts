import { constants } from 'node:os';

/** The C library reserves 32 and 33. */
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

/** For numbers with two names the current one comes first. */
const names: ReadonlyMap<number, string> = new Map(
  [...numbers].filter(([name]) => !['SIGIOT', 'SIGPOLL', 'SIGUNUSED', 'SIGCLD'].includes(name)).map(swap),
);

function swap([name, number]: readonly [string, number]): [number, string] {
  return [number, name];
}

/**
 * Parses a signal: `SIGTERM`, `term`, `RTMIN+3`, `15`. Undefined for an unknown one and for 0, which sends no signal.
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
