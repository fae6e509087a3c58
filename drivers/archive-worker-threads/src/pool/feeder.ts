import { Writable } from 'node:stream';
import { inputBatch, inputInFlight, type ToThread } from './protocol.js';
import type { Stall } from './stall.js';

/** Milliseconds that a chunk may wait for others: waking the worker costs more than sending them. */
const batchTime = 2;

type Callback = (error?: Error | null) => void;

interface FeederOptions {
  /** Nothing else refers to the memory of the chunks: it is transferred instead of copied. */
  readonly transferable: boolean;
  readonly stall: Stall;
  readonly send: (message: ToThread, transfer?: ArrayBuffer[]) => void;
}

/**
 * Sends the input to the worker, several chunks in one message, no faster than the worker reads them.
 *
 * Memory leaves this thread with the message. Left to the garbage collector, the chunks of a large body would make it
 * mark the daemon's whole heap every few dozen MiB, which costs more than everything else done with them.
 */
export class Feeder extends Writable {
  readonly #options: FeederOptions;
  #batch: Uint8Array<ArrayBuffer>[] = [];
  #batched = 0;
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;
  #onRoom: Callback | undefined;

  constructor(options: FeederOptions) {
    super({ highWaterMark: 2 * inputBatch });
    this.#options = options;
  }

  /** The worker has read so many bytes. */
  taken(bytes: number): void {
    this.#inFlight -= bytes;
    if (this.#inFlight < inputInFlight) this.#resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#options.stall.end();
    const bytes = isWhole(chunk) && this.#options.transferable ? chunk : new Uint8Array(chunk);
    this.#batch.push(bytes);
    this.#batched += bytes.length;
    if (this.#batched >= inputBatch) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), batchTime);
    this.#onRoom = callback;
    if (this.#inFlight + this.#batched < inputInFlight) this.#resume();
  }

  override _final(callback: Callback): void {
    this.#flush();
    this.#options.stall.end();
    this.#options.send({ type: 'end' });
    callback();
  }

  override _destroy(error: Error | null, callback: Callback): void {
    clearTimeout(this.#timer);
    callback(error);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#batch.length === 0) return;
    this.#inFlight += this.#batched;
    this.#options.send(
      { type: 'input', pieces: this.#batch },
      this.#batch.map(({ buffer }) => buffer),
    );
    this.#batch = [];
    this.#batched = 0;
  }

  #resume(): void {
    const callback = this.#onRoom;
    if (callback === undefined) return;
    this.#onRoom = undefined;
    this.#options.stall.begin();
    callback();
  }
}

/** Whether the chunk's memory is not part of a larger allocation, such as Node's pool for small buffers. */
const isWhole = (chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> =>
  chunk.byteLength === chunk.buffer.byteLength && chunk.buffer instanceof ArrayBuffer;
