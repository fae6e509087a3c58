import { writeSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';

/** Bytes of lines that wait while none can be written; later ones are lost. */
const maxWaiting = 2 ** 20;

/** Milliseconds that the last lines have, when what reads them is slow. */
const lastLinesLimit = 1_000;

/**
 * Writes a log to a descriptor without waiting for it: a terminal that stalls must not stall the engine. While the descriptor
 * refuses lines, for its disk is full or its terminal gone, the first ones wait and are tried again with each further one.
 */
export class LogDestination implements DestinationStream {
  readonly #stream: ReturnType<typeof pino.destination>;
  /** Lines that were not written yet, as bytes. */
  #waiting: Buffer[] = [];
  #size = 0;

  constructor(private readonly fd: number) {
    this.#stream = pino.destination({ fd, sync: false, maxLength: maxWaiting });
    this.#stream.on('error', () => undefined); // there is nowhere to say so
    this.#stream.on('write', (count: number) => this.#forget(count));
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#size + bytes.length > maxWaiting) return;
    this.#waiting.push(bytes);
    this.#size += bytes.length;
    this.#stream.write(line);
  }

  /**
   * Writes the last lines and returns, also when they cannot be written: the stream of pino's would try for ever, and keep the
   * process from its exit.
   */
  end(): void {
    this.#stream.destroy();
    const limit = performance.now() + lastLinesLimit;
    while (this.#size > 0) {
      try {
        this.#forget(writeSync(this.fd, this.#waiting[0] ?? Buffer.alloc(0)));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'EAGAIN' || performance.now() > limit) return;
      }
    }
  }

  #forget(count: number): void {
    this.#size -= count;
    for (let left = count; left > 0; ) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      if (first.length <= left) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(left);
      left -= Math.min(left, first.length);
    }
  }
}
