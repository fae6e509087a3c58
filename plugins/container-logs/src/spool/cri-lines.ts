import type { LogRecord } from '@gantry/core/contracts';

const space = 0x20;
const newline = 0x0a;

/** Reads whole lines of the CRI log format, `TIME STREAM TAG TEXT\n`. Other lines are skipped. */
export function* criRecords(spool: Uint8Array): Generator<LogRecord> {
  const bytes = Buffer.from(spool.buffer, spool.byteOffset, spool.byteLength);
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; start = end + 1, end = bytes.indexOf(newline, start)) {
    const record = criRecord(bytes.subarray(start, end));
    if (record !== undefined) yield record;
  }
}

function criRecord(line: Buffer): LogRecord | undefined {
  const afterTime = line.indexOf(space);
  const afterStream = line.indexOf(space, afterTime + 1);
  const afterTag = line.indexOf(space, afterStream + 1);
  if (afterTime < 0 || afterStream < 0 || afterTag < 0) return undefined;
  const time = criTime(line.toString('latin1', 0, afterTime));
  const stream = line.toString('latin1', afterTime + 1, afterStream);
  if (time === undefined || (stream !== 'stdout' && stream !== 'stderr')) return undefined;
  return { stream, time, line: line.subarray(afterTag + 1), partial: line[afterStream + 1] === 0x50 };
}

/** The last second that was parsed: consecutive lines mostly share it. */
let lastText = '';
let lastNanos = 0n;

/** Nanoseconds since the epoch of RFC 3339 with nine decimals and any zone. */
function criTime(text: string): bigint | undefined {
  const fraction = /^\.(\d{1,9})/.exec(text.slice(19))?.[1] ?? '';
  const zone = text.slice(19 + (fraction === '' ? 0 : fraction.length + 1));
  const whole = text.slice(0, 19) + zone;
  if (whole !== lastText) {
    const milliseconds = Date.parse(whole);
    if (Number.isNaN(milliseconds)) return undefined;
    lastText = whole;
    lastNanos = BigInt(milliseconds) * 1_000_000n;
  }
  return lastNanos + BigInt(fraction.padEnd(9, '0'));
}

/** A spool line for a notice of the engine itself. */
export function criLine(time: string, text: string): Uint8Array {
  return Buffer.from(`${time} stderr F ${text}\n`);
}
