import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Exchange } from './exchange.js';

type HeadersGiven = OutgoingHttpHeaders | OutgoingHttpHeader[];

export type HeadListener = (response: ServerResponse) => void;

/**
 * A response that calls listeners before its head leaves, whether it is sent in one piece, as a stream or on a hijacked
 * connection. A listener may still change the status and the headers.
 */
export class EngineResponse extends ServerResponse {
  /** Set before the request is handled. */
  exchange: Exchange | undefined;
  #listeners: HeadListener[] | undefined;

  onHead(listener: HeadListener): void {
    this.#listeners ??= [];
    this.#listeners.push(listener);
  }

  /** Calls the listeners, once, the last added first: the outermost hook decides last. */
  announceHead(): void {
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners?.reverse() ?? []) listener(this);
  }

  // Node calls this for an implicit head as well, with nothing but the status. Headers given here stand above what
  // the listeners see, so code in this folder sets them by `setHeader`.
  override writeHead(status: number, reason?: string | HeadersGiven, headers?: HeadersGiven): this {
    this.statusCode = status;
    this.announceHead();
    if (typeof reason === 'string') return super.writeHead(this.statusCode, reason, headers);
    return super.writeHead(this.statusCode, reason);
  }
}
