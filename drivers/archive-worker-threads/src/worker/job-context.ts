import type { MessagePort } from 'node:worker_threads';
import { type FromThread, piecesInFlight, type ToThread } from '../pool/protocol.js';

/** Bytes between two words about how far a job is. */
const tellingStep = 4 * 2 ** 20;

/** What a job has of the outside: its input, its output, and the word that it is to give up. */
export class JobContext {
  readonly #channel: MessagePort;
  readonly #aborted: Int32Array;
  readonly #pieces: (Uint8Array | undefined)[] = [];
  /** Pieces that may be sent: half of what may be in flight, the other half being where they are read. */
  #grants = piecesInFlight / 2;
  #wake: (() => void) | undefined;
  #told = 0;

  constructor(channel: MessagePort, aborted: SharedArrayBuffer) {
    this.#channel = channel;
    this.#aborted = new Int32Array(aborted);
    channel.on('message', (message: ToThread) => {
      if (message.type === 'piece') this.#pieces.push(message.bytes);
      else if (message.type === 'end') this.#pieces.push(undefined);
      else if (message.type === 'grant') this.#grants += message.pieces;
      this.#wake?.();
    });
  }

  /** To be asked between two files, so that a busy job ends soon. */
  throwIfAborted(): void {
    if (Atomics.load(this.#aborted, 0) !== 0) throw new Error('the job was aborted');
  }

  /** What the other side feeds in. With `reuse`, a piece is good until the next is asked for. */
  async *input(reuse = false): AsyncGenerator<Buffer> {
    for (;;) {
      while (this.#pieces.length === 0) await this.#news();
      const piece = this.#pieces.shift();
      if (piece === undefined) return;
      const memory = piece.buffer as ArrayBuffer;
      if (!reuse) this.#send({ type: 'taken' });
      yield Buffer.from(memory, piece.byteOffset, piece.byteLength);
      if (reuse) this.#send({ type: 'taken', memory }, [memory]);
    }
  }

  /** Hands a piece over; the memory is gone afterwards. Waits until the other side wants it. */
  async output(bytes: Uint8Array): Promise<void> {
    while (this.#grants === 0) await this.#news();
    this.throwIfAborted();
    this.#grants--;
    this.#send({ type: 'piece', bytes }, [bytes.buffer as ArrayBuffer]);
  }

  /** Tells the other side, now and then, how much of its input the job has read. */
  tellRead(total: number): void {
    if (total - this.#told < tellingStep) return;
    this.#told = total;
    this.#send({ type: 'read', total });
  }

  close(): void {
    this.#channel.close();
  }

  async #news(): Promise<void> {
    this.throwIfAborted();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.throwIfAborted();
  }

  #send(message: FromThread, transfer: ArrayBuffer[] = []): void {
    this.#channel.postMessage(message, transfer);
  }
}
