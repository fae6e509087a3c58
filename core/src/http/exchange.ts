import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { EngineError } from '../errors/engine-error.js';
import { defaultBodyLimits } from './body-limits.js';
import type { Connection } from './connection.js';
import type { EngineResponse, HeadListener } from './engine-response.js';
import type { Query } from './query.js';
import type { Route } from './route.js';

/** A client's wish to leave HTTP: the protocol it names, and the bytes that arrived behind the head. */
export interface Upgrade {
  /** Lower case: `tcp`, `websocket`. */
  readonly protocol: string;
  readonly head: Buffer;
}

/** An answer that the handler writes itself: a hijacked connection or a stream. */
export interface Output {
  /** The handler has returned. Resolves when the rest of the answer was handed to the connection. */
  finish(): Promise<void> | void;
  /** The handler has thrown, with the answer begun. Never throws. */
  fail(error: unknown): void;
  /** False as long as an error can still be answered with a status of its own. */
  readonly begun: boolean;
}

/**
 * One request and its answer, known to handlers as `ctx.state`. Made by the server; ends when the answer has left
 * or the connection closes.
 */
export class Exchange {
  /** The API version asked for, or the surface's newest; empty on a surface without versions. */
  version = '';
  /** The route that serves the request; undefined before matching and for unknown paths. */
  route: Route | undefined;
  /** The parsed query, once asked for; see `queryOf`. */
  query: Query | undefined;
  /** The body, once read in one piece; see `rawBody`. */
  body: Promise<Buffer> | undefined;
  /** What a hook put in place of the body; see `replaceBody`. */
  bodyStream: Readable | undefined;
  /** Most bytes of a body that is read in one piece. */
  bodyLimit = Number.POSITIVE_INFINITY;
  /** What else is limited about the body. */
  limits = defaultBodyLimits;
  output: Output | undefined;

  #endless = false;
  #reject: ((error: EngineError) => void) | undefined;
  #givenUp = false;
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
   * Answers with an error in place of a handler that waits for what may never come. What the handler has begun goes on,
   * and is told by the signal. Nothing happens when the handler has ended.
   */
  giveUp(error: EngineError): void {
    if (this.#reject === undefined) return;
    this.#givenUp = true;
    // The rest of the request is read by nobody.
    this.response.shouldKeepAlive = false;
    this.#reject(error);
    this.#reject = undefined;
    // After the answer, for who is aborted is told nothing more.
    setImmediate(() => this.abort(error));
  }

  /** Whether somebody else has answered than the handler. */
  get givenUp(): boolean {
    return this.#givenUp;
  }

  /** Ends as the work does, or as `giveUp` says before that. */
  unlessGivenUp(work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      const settle = (): void => {
        this.#reject = undefined;
        resolve(work);
      };
      work.then(settle, settle);
    });
  }

  get isEndless(): boolean {
    return this.#endless;
  }

  /**
   * Says that this request ends only when something happens elsewhere (a wait, followed logs, an attached terminal).
   * When the server stops, it is aborted at once instead of at the deadline.
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
