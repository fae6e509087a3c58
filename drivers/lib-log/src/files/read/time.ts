const pattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** Nanoseconds since the epoch of an RFC 3339 time. Undefined: it is none. */
export function parseTime(text: string): bigint | undefined {
  const [, seconds, fraction = '', zone] = pattern.exec(text) ?? [];
  const milliseconds = Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** UTC without its zone, `2026-01-01T00:00:00.000000000`: such times sort as their bytes do. */
export function formatTime(nanoseconds: bigint): Buffer {
  const clipped = nanoseconds < 0n ? 0n : nanoseconds > latest ? latest : nanoseconds;
  const seconds = new Date(Number(clipped / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return Buffer.from(`${seconds}.${String(clipped % 1_000_000_000n).padStart(9, '0')}`, 'latin1');
}

/** The end of the year 9999. */
const latest = 253_402_300_799_999_999_999n;

/** Reads the times of a block's lines, most of which share their second with the line before. */
export class TimeReader {
  #second = '';
  #nanoseconds = 0n;

  constructor(private readonly block: Buffer) {}

  /** Of `2026-01-01T00:00:00.000000000` at a place in the block. */
  read(at: number): bigint {
    const second = this.block.toString('latin1', at, at + 19);
    if (second !== this.#second) {
      this.#second = second;
      this.#nanoseconds = parseTime(`${second}Z`) ?? 0n;
    }
    let fraction = 0;
    for (let index = at + 20; index < at + 29; index++) fraction = fraction * 10 + (this.block[index] as number) - 0x30;
    return this.#nanoseconds + BigInt(fraction);
  }
}
