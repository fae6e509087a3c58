import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { messageOf } from '@gantry/core/errors';
import { sendRequest } from '@gantry/lib-http';
import type { Connection } from './connections.js';
import { ConnectionError } from './registry-error.js';

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes, or what opens a stream of `length` bytes for one try. */
  readonly body?: Buffer | OpenBody;
  /** Milliseconds the connection may be silent. */
  readonly idleTimeout: number;
  readonly signal?: AbortSignal;
}

export interface OpenBody {
  readonly length: number;
  open(): Readable;
}

/**
 * One request on one connection. Resolves to the answer's head, whose body the caller reads or discards; a connection
 * that falls silent later fails the body. Rejects ConnectionError, AbortError at abort.
 */
export function send(outgoing: Outgoing, connection: Connection): Promise<IncomingMessage> {
  const { method, url, body, signal, idleTimeout } = outgoing;
  const where = `${method} "${url.origin}${url.pathname}"`;
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, {
      ...connection.tls,
      method,
      agent: connection.agent,
      timeout: idleTimeout,
      headers: {
        'User-Agent': 'gantry',
        ...outgoing.headers,
        ...(body !== undefined && { 'Content-Length': String(body.length) }),
      },
      ...(signal !== undefined && { signal }),
    });
    let source: Readable | undefined;
    let answer: IncomingMessage | undefined;
    // What trickles in never falls silent; a head that took twice as long is given up, unless we are sending.
    const isShort = body === undefined || Buffer.isBuffer(body);
    const late = setTimeout(() => silent('no whole answer'), isShort ? idleTimeout * 2 : 2 ** 31 - 1);
    const silent = (what: string): void => {
      const silence = new ConnectionError(`${where}: ${what} for ${idleTimeout / 1000} s`, false);
      answer?.destroy(silence);
      request.destroy(silence);
    };
    request.once('close', () => clearTimeout(late));
    const failed = (error: Error): void => {
      source?.destroy();
      const failure =
        error instanceof ConnectionError
          ? error
          : new ConnectionError(`${where}: ${wordsOf(error)}`, isRefused(error), { cause: error });
      reject(signal?.aborted === true ? signal.reason : failure);
    };
    request.on('error', failed);
    request.on('timeout', () => silent('no answer'));
    request.on('response', (response) => {
      clearTimeout(late);
      answer = response;
      response.on('error', () => source?.destroy());
      // The answer came before all was sent: the server ignores the rest.
      response.once('end', () => source?.destroy());
      resolve(response);
    });
    if (isShort) {
      request.end(body);
      return;
    }
    source = body.open();
    source.on('error', (error) => request.destroy(error));
    source.pipe(request);
  });
}

/** Several addresses of one name fail with several errors in one. */
function wordsOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return messageOf(first);
}

const codesOf = (error: unknown): readonly unknown[] =>
  error instanceof AggregateError
    ? error.errors.map((inner: NodeJS.ErrnoException) => inner.code)
    : [(error as NodeJS.ErrnoException).code];

const isRefused = (error: Error): boolean =>
  codesOf(error).some((code) => ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'].includes(String(code))) ||
  /certificate|self-signed|altname|wrong version number|SSL/i.test(`${codesOf(error).join()} ${error.message}`);
