import type { ServerResponse } from 'node:http';
import { messageOf } from '../../errors/engine-error.js';
import { drained } from '../../streams/drained.js';
import type { Context } from '../exchange/context.js';
import type { Output } from '../exchange/exchange.js';
import { sendHead } from './open-body.js';

/**
 * An answer of JSON objects, one per line, that leave as they are written: progress of a pull or a build, events,
 * statistics. The head leaves with the first object, or with `open`; an error before that is answered with its own
 * status, and one after it becomes the last object. Ends when the handler returns.
 */
export class JsonStream implements Output {
  readonly #ctx: Context;
  readonly #contentType: string;
  #begun = false;

  constructor(ctx: Context, contentType: string) {
    this.#ctx = ctx;
    this.#contentType = contentType;
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** True while the client has not taken what was written: updates that the next one outdates may be left out. */
  get busy(): boolean {
    return this.#response.writableNeedDrain;
  }

  get #response(): ServerResponse {
    return this.#ctx.res;
  }

  /** Sends the head now, for streams whose first object may be long in coming. */
  open(): this {
    if (!this.#begun) {
      this.#begun = true;
      sendHead(this.#ctx, { contentType: this.#contentType });
    }
    return this;
  }

  /**
   * Writes one object; a string is taken for JSON text that was prepared before.
   * @returns a promise to wait for when the client is slow, undefined when it is not. It never rejects: when the
   * client has gone, what is written is dropped and `ctx.state.signal` is aborted.
   */
  write(value: object | string): Promise<void> | undefined {
    this.open();
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return undefined;
    const item = this.#adapted(value);
    const line = `${typeof item === 'string' ? item : JSON.stringify(item)}\n`;
    return response.write(line) ? undefined : drained(response);
  }

  #adapted(value: object | string): unknown {
    const adapt = this.#ctx.state.adaptation?.item;
    if (adapt === undefined) return value;
    return adapt(typeof value === 'string' ? JSON.parse(value) : value);
  }

  finish(): void {
    this.open();
    this.#response.end();
  }

  fail(error: unknown): void {
    const message = messageOf(error);
    if (!this.#ctx.state.aborted) void this.write({ errorDetail: { message }, error: message });
    this.#response.end();
  }
}

/** Answers with a stream of JSON objects; see {@link JsonStream}. */
export function jsonStream<P>(ctx: Context<P>, options: { readonly contentType?: string } = {}): JsonStream {
  const stream = new JsonStream(ctx as Context, options.contentType ?? 'application/json');
  ctx.state.output = stream;
  return stream;
}
