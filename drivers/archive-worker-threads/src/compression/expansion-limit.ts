import { invalidArgument } from '@gantry/core/errors';

/** Below this, no ratio is suspicious: a file of zeros is small work. */
const harmless = 4 * 1024 ** 3;
/** gzip cannot do better than about 1030, and reaches that only with nothing but one byte repeated. */
const maxRatio = 500;

/** Detects decompression bombs: small data that expands to fill the disk. */
export class ExpansionLimit {
  #compressed = 0;
  #expanded = 0;

  /** @param onRead called with the bytes read so far. */
  constructor(
    private readonly maxBytes: number | undefined,
    private readonly onRead: (total: number) => void = () => undefined,
  ) {}

  read(bytes: number): void {
    this.#compressed += bytes;
    this.onRead(this.#compressed);
  }

  /** @throws EngineError `invalid-argument` beyond the limit. */
  wrote(bytes: number): void {
    this.#expanded += bytes;
    if (this.maxBytes !== undefined && this.#expanded > this.maxBytes) {
      throw invalidArgument(`the archive has more than the ${this.maxBytes} bytes that are allowed`);
    }
    if (this.#expanded > harmless && this.#expanded > this.#compressed * maxRatio) {
      throw invalidArgument(
        `the archive looks like a decompression bomb: ${this.#compressed} bytes became ${this.#expanded}`,
      );
    }
  }
}
