import type { MessagePort } from 'node:worker_threads';
import { type FromThread, inputBatch, piecesInFlight, type ToThread } from '../pool/protocol.js';
import type { KernelCalls } from './kernel-calls.js';

/** Bytes between two progress messages. */
const progressStep = 4 * 2 ** 20;

/** The channel of a job: its input, its output, and its abort flag; and the calls into the kernel that jobs make. */
export class JobContext {
  readonly #channel: MessagePort;
  readonly #aborted: Int32Array;
  readonly #pieces: (Uint8Array | undefined)[] = [];
  /** Pieces that may be sent: half of the limit, as the reader buffers the other half. */
  #grants = piecesInFlight / 2;
  #wake: (() => void) | undefined;
  #reported = 0;

  constructor(
    channel: MessagePort,
    aborted: SharedArrayBuffer,
    readonly calls: KernelCalls,
  ) {
    this.#channel = channel;
    this.#aborted = new Int32Array(aborted);
    channel.on('message', (message: ToThread) => {
      if (message.type === 'input') this.#pieces.push(...message.pieces);
      else if (message.type === 'end') this.#pieces.push(undefined);
      else if (message.type === 'grant') this.#grants += message.pieces;
      this.#wake?.();
    });
  }

  /** Called between two files, so that a busy job ends soon. */
  throwIfAborted(): void {
    if (Atomics.load(this.#aborted, 0) !== 0) throw new Error('the job was aborted');
  }

  async *input(): AsyncGenerator<Buffer> {
    for (let taken = 0; ; ) {
      while (this.#pieces.length === 0) await this.#message();
      const piece = this.#pieces.shift();
      if (piece === undefined) return;
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      taken += piece.byteLength;
      if (taken >= inputBatch || this.#pieces.length === 0) {
        this.#send({ type: 'taken', bytes: taken });
        taken = 0;
      }
    }
  }

  /** Transfers a piece, whose memory is gone afterwards. Waits for a grant. */
  async output(bytes: Uint8Array): Promise<void> {
    while (this.#grants === 0) await this.#message();
    this.throwIfAborted();
    this.#grants--;
    this.#send({ type: 'piece', bytes }, [bytes.buffer as ArrayBuffer]);
  }

  /** Reports, now and then, how much of its input the job has read. */
  reportRead(total: number): void {
    if (total - this.#reported < progressStep) return;
    this.#reported = total;
    this.#send({ type: 'read', total });
  }

  close(): void {
    this.#channel.close();
  }

  async #message(): Promise<void> {
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
