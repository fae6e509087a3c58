import { finished, Readable } from 'node:stream';
import { pieceSize, piecesInFlight, type ToThread } from './protocol.js';
import type { Stall } from './stall.js';

/** Brings the input over in pieces of one size, no faster than the thread takes them. */
export class Feeder {
  #credit = piecesInFlight;
  #onCredit: (() => void) | undefined;
  #stopped = false;
  #piece = new Uint8Array(pieceSize);
  /** Memory that came back: making new costs more than filling it. */
  readonly #spare: ArrayBuffer[] = [];
  #filled = 0;
  /** Lets go of an input that is listened to. */
  #leave: () => void = () => undefined;

  constructor(
    private readonly input: AsyncIterable<Uint8Array>,
    private readonly stall: Stall,
    private readonly send: (message: ToThread, transfer?: ArrayBuffer[]) => void,
  ) {}

  taken(memory: ArrayBuffer | undefined): void {
    if (memory?.byteLength === pieceSize) this.#spare.push(memory);
    this.#credit++;
    this.#onCredit?.();
  }

  /** Rejects with what the input fails with. */
  async run(): Promise<void> {
    this.stall.begin();
    if (this.input instanceof Readable) await this.#listen(this.input);
    else await this.#iterate();
    this.stall.end();
    if (this.#stopped) return;
    if (this.#filled > 0) await this.#flush();
    this.send({ type: 'end' });
  }

  /** Ends the input where it stands. */
  stop(): void {
    this.#stopped = true;
    this.#leave();
    this.#onCredit?.();
  }

  async #iterate(): Promise<void> {
    for await (const chunk of this.input) {
      await this.#take(chunk);
      if (this.#stopped) return;
    }
  }

  /** Half as dear as iterating. */
  #listen(input: Readable): Promise<void> {
    return new Promise((resolve, reject) => {
      const onData = (chunk: Uint8Array): void => {
        if (this.#credit > 0 && chunk.length <= pieceSize) {
          this.#put(chunk);
          // It waits for the client all the time but for these moments.
          this.stall.end();
          this.stall.begin();
          return;
        }
        input.pause();
        void this.#take(chunk).then(() => this.#stopped || input.resume());
      };
      const forget = finished(input, { writable: false }, (error) => {
        if (error) reject(error);
        else resolve();
      });
      this.#leave = () => {
        input.off('data', onData).pause();
        forget();
        resolve();
      };
      input.on('data', onData);
    });
  }

  async #take(chunk: Uint8Array): Promise<void> {
    this.stall.end();
    for (let at = 0; at < chunk.length && !this.#stopped; at += pieceSize) {
      await this.#room();
      this.#put(chunk.subarray(at, at + pieceSize));
    }
    this.stall.begin();
  }

  /** Takes no more than one piece has room for. */
  #put(part: Uint8Array): void {
    // Copied, because the same memory may be somebody else's too; then moved, not copied, to the thread.
    const first = part.subarray(0, pieceSize - this.#filled);
    this.#piece.set(first, this.#filled);
    this.#filled += first.length;
    if (this.#filled < pieceSize) return;
    this.#sendPiece();
    this.#piece.set(part.subarray(first.length));
    this.#filled = part.length - first.length;
  }

  async #flush(): Promise<void> {
    await this.#room();
    this.#sendPiece();
  }

  async #room(): Promise<void> {
    while (this.#credit === 0 && !this.#stopped) {
      await new Promise<void>((resolve) => {
        this.#onCredit = resolve;
      });
    }
  }

  #sendPiece(): void {
    this.#credit--;
    const bytes = this.#piece.subarray(0, this.#filled);
    this.#piece = new Uint8Array(this.#spare.pop() ?? new ArrayBuffer(pieceSize));
    this.#filled = 0;
    collectYoungBuffers();
    if (!this.#stopped) this.send({ type: 'piece', bytes }, [bytes.buffer as ArrayBuffer]);
  }
}

/**
 * V8 looks at how much memory young buffers hold only when a script makes one, not when the parser of requests does. It
 * would not know of what passed through until it has to go through the whole heap, several times for an archive.
 */
function collectYoungBuffers(): void {
  new ArrayBuffer(1);
}
