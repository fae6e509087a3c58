import { inputPiecesInFlight, pieceSize, type ToThread } from './protocol.js';
import type { Stall } from './stall.js';

/** Sends the input to the worker in pieces of one size, no faster than the worker reads them. */
export class Feeder {
  #credit = inputPiecesInFlight;
  #onCredit: (() => void) | undefined;
  #stopped = false;
  #piece = new Uint8Array(pieceSize);
  /** Buffers that the worker returned: allocating new ones costs more than filling them. */
  readonly #spare: ArrayBuffer[] = [];
  #filled = 0;

  constructor(
    private readonly input: AsyncIterable<Uint8Array>,
    private readonly stall: Stall,
    private readonly send: (message: ToThread, transfer?: ArrayBuffer[]) => void,
  ) {}

  /** The worker has read a piece, and returns its buffer. */
  taken(memory: ArrayBuffer | undefined): void {
    if (memory?.byteLength === pieceSize) this.#spare.push(memory);
    this.#credit++;
    this.#onCredit?.();
  }

  async run(): Promise<void> {
    this.stall.begin();
    for await (const chunk of this.input) {
      this.stall.end();
      for (let at = 0; at < chunk.length; ) {
        // Copied, because others may share the chunk's memory; then transferred to the worker.
        const part = chunk.subarray(at, at + pieceSize - this.#filled);
        this.#piece.set(part, this.#filled);
        this.#filled += part.length;
        at += part.length;
        if (this.#filled === pieceSize) await this.#flush();
      }
      if (this.#stopped) return;
      this.stall.begin();
    }
    this.stall.end();
    if (this.#filled > 0) await this.#flush();
    this.send({ type: 'end' });
  }

  /** Ends the input where it stands. */
  stop(): void {
    this.#stopped = true;
    this.#onCredit?.();
  }

  async #flush(): Promise<void> {
    while (this.#credit === 0 && !this.#stopped) {
      await new Promise<void>((resolve) => {
        this.#onCredit = resolve;
      });
    }
    this.#credit--;
    const bytes = this.#piece.subarray(0, this.#filled);
    this.#piece = new Uint8Array(this.#spare.pop() ?? new ArrayBuffer(pieceSize));
    this.#filled = 0;
    if (!this.#stopped) this.send({ type: 'piece', bytes }, [bytes.buffer as ArrayBuffer]);
  }
}
