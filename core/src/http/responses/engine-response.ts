import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Exchange } from '../surface/exchange.js';

type HeadersGiven = OutgoingHttpHeaders | OutgoingHttpHeader[];

export type HeadListener = (response: ServerResponse) => void;

/**
 * A response that tells when its head is about to leave, by whatever door: an answer in one piece, a stream, or a
 * hijacked connection. Until then a listener may still change the status and the headers.
 */
export class EngineResponse extends ServerResponse {
  /** Set before the request is handled. */
  exchange: Exchange | undefined;
  #listeners: HeadListener[] | undefined;

  onHead(listener: HeadListener): void {
    this.#listeners ??= [];
    this.#listeners.push(listener);
  }

  /** Calls the listeners, once, the last added first: who saw the request first has the last word. */
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
