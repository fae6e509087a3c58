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
