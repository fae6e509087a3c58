import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { partTimeout } from '../parsing/body-limits.js';

interface BodyStreamOptions {
  /** Milliseconds to wait for the next part; 0 is without end. */
  readonly idle: number;
  /** The rest of the body will not be read. */
  readonly onTimeout: () => void;
}

/**
 * The body of a request as it arrives. Destroying it leaves the connection open, so that an error can still be sent; the
 * rest of the body is then read and dropped, because some clients read no response before they have sent everything.
 */
export class BodyStream extends Readable {
  readonly #request: IncomingMessage;
  readonly #options: BodyStreamOptions;
  #isReading = false;
  #isWaiting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage, options: BodyStreamOptions) {
    super({ highWaterMark: 256 * 1024 });
    this.#request = request;
    this.#options = options;
  }

  override _read(): void {
    this.#isWaiting = true;
    this.#timer?.refresh();
    if (this.#isReading) this.#request.resume();
    else this.#begin();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#request.off('data', this.#take).off('end', this.#finish).off('error', this.#fail).off('close', this.#fail);
    this.#request.resume();
    callback(error);
  }

  #begin(): void {
    this.#isReading = true;
    const { idle } = this.#options;
    if (idle > 0) this.#timer = setTimeout(() => this.#onIdle(), idle);
    this.#request.on('end', this.#finish).on('error', this.#fail).on('close', this.#fail).on('data', this.#take);
    if (this.#request.destroyed) this.#fail();
  }

  readonly #take = (part: Buffer): void => {
    this.#isWaiting = this.push(part);
    this.#timer?.refresh();
    if (!this.#isWaiting) this.#request.pause();
  };

  readonly #finish = (): void => {
    clearTimeout(this.#timer);
    this.push(null);
  };

  readonly #fail = (error?: Error): void => {
    if (!this.#request.readableEnded) this.destroy(error ?? this.#request.errored ?? new Error('aborted'));
  };

  #onIdle(): void {
    if (!this.#isWaiting) return;
    this.#options.onTimeout();
    this.destroy(partTimeout(this.#options.idle));
  }
}
