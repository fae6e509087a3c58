import { invalidArgument } from '../../errors/engine-error.js';

const second = 1_000_000_000n;

/** Nanoseconds of the units of a duration. */
const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
};

/** The time now, in nanoseconds since 1970; the clock gives milliseconds. */
const now = (): bigint => BigInt(Date.now()) * 1_000_000n;

/**
 * Reads a moment as clients give it: UNIX seconds with up to nine decimals, RFC 3339 in full or cut short (a date
 * alone, no zone: UTC), or a duration such as `1h30m` that lies before `at`.
 * @returns nanoseconds since 1970.
 * @throws EngineError `invalid-argument` naming the option and the value.
 */
export function parseTimestamp(option: string, text: string, at: bigint = now()): bigint {
  const moment = unixSeconds(text) ?? calendar(text) ?? before(text, at);
  if (moment === undefined) {
    throw invalidArgument(
      `${option}: "${text}" is not a time such as 1136073600.5, 2006-01-02T15:04:05Z or 10m for ten minutes ago`,
    );
  }
  return moment;
}

const nanos = (fraction: string): bigint => BigInt(fraction.slice(0, 9).padEnd(9, '0'));

function unixSeconds(text: string): bigint | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,12})(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const moment = BigInt(whole) * second + nanos(fraction);
  return sign === '-' ? -moment : moment;
}

const calendarForm = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?(Z|[+-]\d\d:\d\d)?$/;

function calendar(text: string): bigint | undefined {
  const match = calendarForm.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', seconds = '00', fraction = '', zone = 'Z'] = match;
  const instant = new Date(`${year}-${month}-${day}T${hour}:${minute}:${seconds}${zone}`);
  // A date that does not exist rolls over into the next month instead of being refused.
  const exists = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return exists && !Number.isNaN(instant.getTime())
    ? BigInt(instant.getTime()) * 1_000_000n + nanos(fraction)
    : undefined;
}

function before(text: string, at: bigint): bigint | undefined {
  const duration = parseDuration(text);
  return duration === undefined ? undefined : at - duration;
}

/** Reads a duration such as `1h30m`, `1.5s` or `-2m`, in nanoseconds; undefined when it is none. */
export function parseDuration(text: string): bigint | undefined {
  const match = /^([+-]?)((?:\d+(?:\.\d*)?(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text);
  if (!match) return undefined;
  let total = 0n;
  for (const [, whole = '0', fraction = '', unit = 's'] of (match[2] ?? '').matchAll(/(\d+)(?:\.(\d*))?([a-zµμ]+)/g)) {
    const size = units[unit] ?? 0n;
    total += BigInt(whole) * size + (nanos(fraction) * size) / second;
  }
  return match[1] === '-' ? -total : total;
}
