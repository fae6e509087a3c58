/** What precedes the text of a spool line. */
export interface SpoolHeader {
  /** UTC, `2026-01-01T00:00:00.000000000`, without a zone; it starts at `timeAt`. */
  readonly time: Uint8Array;
  readonly timeAt: number;
  readonly isError: boolean;
  readonly isPartial: boolean;
  /** Where the text starts. */
  readonly textAt: number;
}

const pattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) (stdout|stderr) ([FP])\S* /;

/** No header is longer: time, stream, and room for tags. */
const maxHeader = 96;

/** The header that the monitor writes, by length: `2026-11-21T10:00:00.123456789+00:00 stdout F `. */
export const usualHeader = 45;

/** Seconds with their zone, and the same in UTC: consecutive lines mostly share them. */
let lastLocal = '';
let lastUtc = '';

/** Parses a header of any form that the CRI log format allows. Undefined: this is no spool line. */
export function parseHeader(spool: Uint8Array, at: number): SpoolHeader | undefined {
  if (!hasUsualHeader(spool, at)) return parseAnyHeader(spool, at);
  return {
    time: spool,
    timeAt: at,
    isError: spool[at + 39] === 0x65, // stderr
    isPartial: spool[at + 43] === 0x50, // P
    textAt: at + usualHeader,
  };
}

const word = (text: string): number => Buffer.from(text).readInt32LE();
const [zone, zoneEnd, out, error, outEnd, errorEnd] = ['+00:', '00 s', 'tdou', 'tder', 't F ', 'r F '].map(word);

/** Which stream a whole line with the usual header is from, 0 for stdout and 1 for stderr; undefined for any other. */
export function usualStream(spool: DataView, at: number): 0 | 1 | undefined {
  if (at + usualHeader >= spool.byteLength) return undefined;
  if (spool.getInt32(at + 29, true) !== zone || spool.getInt32(at + 33, true) !== zoneEnd) return undefined;
  if (spool.getUint8(at + 10) !== 0x54 || spool.getUint8(at + 19) !== 0x2e) return undefined;
  const name = spool.getInt32(at + 37, true);
  const end = spool.getInt32(at + 41, true);
  if (name === out && end === outEnd) return 0;
  return name === error && end === errorEnd ? 1 : undefined;
}

const hasUsualHeader = (spool: Uint8Array, at: number): boolean =>
  (spool[at + 43] === 0x46 || spool[at + 43] === 0x50) && // F, P
  spool[at + 44] === 0x20 &&
  spool[at + 42] === 0x20 &&
  (spool[at + 39] === 0x6f || spool[at + 39] === 0x65) && // stdout, stderr
  spool[at + 36] === 0x73 &&
  spool[at + 35] === 0x20 &&
  spool[at + 34] === 0x30 &&
  spool[at + 33] === 0x30 &&
  spool[at + 31] === 0x30 &&
  spool[at + 30] === 0x30 &&
  spool[at + 29] === 0x2b && // +00:00
  spool[at + 19] === 0x2e &&
  spool[at + 10] === 0x54;

function parseAnyHeader(spool: Uint8Array, at: number): SpoolHeader | undefined {
  const head = Buffer.from(spool.buffer, spool.byteOffset + at, Math.min(maxHeader, spool.length - at));
  const match = pattern.exec(head.toString('latin1'));
  if (match === null) return undefined;
  const [whole, seconds = '', fraction = '', zone = '', stream, tag] = match;
  const local = `${seconds}${zone}`;
  if (local !== lastLocal) {
    const milliseconds = Date.parse(local);
    if (Number.isNaN(milliseconds)) return undefined;
    lastUtc = new Date(milliseconds).toISOString().slice(0, 19);
    lastLocal = local;
  }
  return {
    time: Buffer.from(`${lastUtc}.${fraction.padEnd(9, '0')}`, 'latin1'),
    timeAt: 0,
    isError: stream === 'stderr',
    isPartial: tag === 'P',
    textAt: at + whole.length,
  };
}
