/** What stands before the text of a spool line. */
export interface SpoolHeader {
  /** UTC, `2026-01-01T00:00:00.000000000`, without a zone. */
  readonly time: Uint8Array;
  readonly isError: boolean;
  readonly isPartial: boolean;
  /** Where the text begins. */
  readonly textAt: number;
}

const pattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) (stdout|stderr) ([FP])\S* /;

/** No header is longer: time, stream, and room for tags. */
const longest = 96;

/** Seconds with their zone, and the same in UTC: one container's lines mostly have those of the line before. */
let lastLocal = '';
let lastUtc = '';

/** Reads a header of any form that the CRI log format allows. Undefined: this is no spool line. */
export function parseHeader(spool: Uint8Array, at: number): SpoolHeader | undefined {
  const head = Buffer.from(spool.buffer, spool.byteOffset + at, Math.min(longest, spool.length - at)).toString(
    'latin1',
  );
  const match = pattern.exec(head);
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
    isError: stream === 'stderr',
    isPartial: tag === 'P',
    textAt: at + whole.length,
  };
}

/** The length of the header that nearly all lines have: `2026-11-21T10:00:00.123456789+00:00 stdout F `. */
export const plainHeader = 45;

/** Whether a line has such a header. */
export const isPlain = (spool: Uint8Array, at: number): boolean =>
  (spool[at + 43] === 0x46 || spool[at + 43] === 0x50) && // F, P
  spool[at + 44] === 0x20 &&
  spool[at + 42] === 0x20 &&
  spool[at + 36] === 0x73 &&
  spool[at + 35] === 0x20 &&
  spool[at + 34] === 0x30 &&
  spool[at + 33] === 0x30 &&
  spool[at + 31] === 0x30 &&
  spool[at + 30] === 0x30 &&
  spool[at + 29] === 0x2b && // +00:00
  spool[at + 19] === 0x2e &&
  spool[at + 10] === 0x54;

/** Of a plain line: 0 for stdout, 1 for stderr. */
export const streamOf = (spool: Uint8Array, at: number): 0 | 1 => (spool[at + 39] === 0x6f ? 0 : 1);

/** Of a plain line: whether its end comes with a later one. */
export const isPart = (spool: Uint8Array, at: number): boolean => spool[at + 43] === 0x50; // P
