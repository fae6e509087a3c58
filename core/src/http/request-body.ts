import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { invalidArgument } from '../kernel/errors.js';

/** Bytes that may wait for the reader. */
const waiting = 256 * 1024;

export interface RequestBodyOptions {
  /** Milliseconds between two parts, while the next is asked for; 0 is without end. */
  readonly idle: number;
  /** What is left of the body will not be read. */
  lost(): void;
}

/**
 * The parts of a request's body as they come, at the reader's pace. Destroying it leaves the request alone, and with it
 * the way to answer. A client that stops sending is given up.
 */
export class RequestBody extends Readable {
  #timer: NodeJS.Timeout | undefined;
  readonly #take = (part: Buffer): void => {
    if (this.push(part)) this.#timer?.refresh();
    else this.#pause();
  };
  readonly #end = (): void => {
    this.#leave();
    this.push(null);
  };
  readonly #fail = (error?: Error): void => {
    this.destroy(error ?? new Error('the client went in the middle of the body'));
  };

  constructor(
    private readonly request: IncomingMessage,
    private readonly options: RequestBodyOptions,
  ) {
    super({ highWaterMark: waiting });
    // A client may go before anybody reads, or after: that is told to whoever reads then, and is no fault of the daemon.
    this.on('error', () => undefined);
  }

  override _construct(ready: () => void): void {
    const { request } = this;
    request.pause();
    request.on('data', this.#take).on('end', this.#end).on('error', this.#fail).on('close', this.#fail);
    ready();
    if (request.readableEnded) this.#end();
    else if (request.destroyed) this.#fail(request.errored ?? undefined);
  }

  override _read(): void {
    const { idle } = this.options;
    if (idle > 0) this.#timer ??= setTimeout(() => this.#late(), idle);
    this.request.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#leave();
    if (error !== null) this.options.lost();
    callback(error);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.request.pause();
  }

  #late(): void {
    const seconds = this.options.idle / 1000;
    this.destroy(invalidArgument(`the next part of the body of the request did not arrive within ${seconds} s`));
  }

  /** The request is as it was, for whoever throws the rest away. */
  #leave(): void {
    const { request } = this;
    this.#pause();
    request.off('data', this.#take).off('end', this.#end).off('error', this.#fail).off('close', this.#fail);
    // A connection that ends meanwhile is told elsewhere.
    request.on('error', () => undefined);
  }
}
