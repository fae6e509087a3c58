import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { EngineError } from '../../errors/engine-error.js';
import { defaultBodyLimits } from '../parsing/body-limits.js';
import type { Query } from '../parsing/query.js';
import type { Adaptation } from './adaptation.js';
import type { Connection } from './connection.js';
import type { EngineResponse, HeadListener } from './engine-response.js';
import type { Route } from './route.js';
import type { StatusExceptions } from './status-exceptions.js';

/** A request to switch protocols: the protocol, and the bytes that arrived behind the head. */
export interface Upgrade {
  /** Lower case: `tcp`, `websocket`. */
  readonly protocol: string;
  readonly head: Buffer;
}

/** A response that the handler writes itself: a hijacked connection or a stream. */
export interface Output {
  /** The handler has returned. Resolves when the rest of the response was handed to the connection. */
  finish(): Promise<void> | void;
  /** The handler has thrown after the response had begun. Never throws. */
  fail(error: unknown): void;
  /** False as long as an error can still have a status of its own. */
  readonly begun: boolean;
}

/** Judges the effective request; rejects as a hook that refuses it. */
export type Reviewer = (effective: object) => Promise<void>;

/**
 * One request and its response, known to handlers as `ctx.state`. Made by the server; ends when the response was sent
 * or the connection closes.
 */
export class Exchange {
  /** The API version asked for, or the surface's newest; empty on a surface without versions. */
  version = '';
  /** The route that serves the request; undefined in `observe` hooks on their way in, and for unknown paths. */
  route: Route | undefined;
  /** Exceptions of the route from the table of statuses. */
  statuses: StatusExceptions | undefined;
  /** The parsed query, once asked for; see `queryOf`. */
  query: Query | undefined;
  /** The body, once read in one piece; see `rawBody`. */
  body: Promise<Buffer> | undefined;
  /** The body that a hook replaced the client's with; see `replaceBody`. */
  bodyStream: Readable | undefined;
  /** Most bytes of a body that is read in one piece. */
  bodyLimit = Number.POSITIVE_INFINITY;
  /** The other limits of the body. */
  limits = defaultBodyLimits;
  output: Output | undefined;
  /** What is sent as JSON, unless something else answers; see `sendJson`. Hooks may change or replace it. */
  answer: unknown;
  /** For a client of an older version; undefined at the newest. */
  adaptation: Adaptation | undefined;
  /** Of the hooks that judge requests by their bodies; see `review`. */
  readonly reviewers: Reviewer[] = [];

  #endless = false;
  #reject: ((error: EngineError) => void) | undefined;
  #isAbandoned = false;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly response: EngineResponse,
    readonly connection: Connection,
    readonly upgrade?: Upgrade,
  ) {
    response.exchange = this;
  }

  /**
   * Aborts when the client has gone, and when the server stops and cannot wait any longer. Made at first use, for
   * most requests never ask.
   */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /**
   * Has the hooks that judge requests judge what this one comes to, where references to other objects make that differ
   * from what its body says. Rejects as the hook that refuses it.
   */
  async review(effective: () => Promise<object>): Promise<void> {
    if (this.reviewers.length === 0) return;
    const request = await effective();
    for (const reviewer of this.reviewers) await reviewer(request);
  }

  /** Why the exchange was aborted, if it was. */
  get aborted(): { readonly reason: unknown } | undefined {
    return this.#aborted;
  }

  /** Aborts the signal; the first reason counts. */
  abort(reason: unknown = new DOMException('The client has gone', 'AbortError')): void {
    if (this.#aborted) return;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }

  /**
   * Responds with an error in place of a handler that waits for what may never come. The handler continues, with its
   * signal aborted. Does nothing when the handler has ended.
   */
  abandon(error: EngineError): void {
    if (this.#reject === undefined) return;
    this.#isAbandoned = true;
    // No one reads the rest of the request.
    this.response.shouldKeepAlive = false;
    this.#reject(error);
    this.#reject = undefined;
    // After the response: an aborted stream writes no error.
    setImmediate(() => this.abort(error));
  }

  /** Whether the response is no longer the handler's. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Settles as the handler does, or rejects with what `abandon` is given before that. */
  unlessAbandoned(handler: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      const settle = (): void => {
        this.#reject = undefined;
        resolve(handler);
      };
      handler.then(settle, settle);
    });
  }

  /** Whether the version that the client speaks has a feature: for behaviour that no change of the answer can give. */
  speaks(feature: string): boolean {
    return !this.adaptation?.lacks.has(feature);
  }

  get isEndless(): boolean {
    return this.#endless;
  }

  /**
   * Declares that this request ends only with an event elsewhere (a wait, followed logs, an attached terminal). A
   * stopping server aborts it at once instead of at the deadline.
   */
  endless(): void {
    this.#endless = true;
    this.connection.server.endless(this);
  }

  /** Calls back when the head is about to leave: the last moment to change status and headers. */
  onHead(listener: HeadListener): void {
    this.response.onHead(listener as (response: ServerResponse) => void);
  }
}
