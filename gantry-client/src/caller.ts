import { once } from 'node:events';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { ApiError } from './api-error.js';
import { type PathValues, type QueryValues, targetOf } from './target-of.js';
import type { Transport } from './transport.js';

/** The version of the API that this client speaks, and that its types are of. */
export const apiVersion = '1.51';

/** What a body that is no JSON may be. */
export type Bytes = string | Uint8Array | Readable | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface CallOptions {
  readonly path?: PathValues;
  readonly query?: QueryValues;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, except bytes and streams. */
  readonly body?: unknown;
  /** Ends the request; what it had begun is rolled back where the engine can. */
  readonly signal?: AbortSignal | undefined;
}

export interface CallAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

export interface UpgradedAnswer {
  readonly headers: IncomingHttpHeaders;
  /** Bytes both ways. */
  readonly socket: Duplex;
}

/** Sends requests, each on a connection of its own. A route is a method and a path such as `GET /containers/{id}/json`. */
export class Caller {
  readonly #prefix: string;

  /** @param version of the API; null: none is named, which leaves it to the engine. */
  constructor(
    private readonly transport: Transport,
    version: string | null = apiVersion,
  ) {
    this.#prefix = version === null ? '' : `/v${version}`;
  }

  /** @throws ApiError when the status is 400 or more. */
  async call(route: string, options: CallOptions = {}): Promise<CallAnswer> {
    const request = this.#begin(route, options, {});
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    endWith(options.signal, response);
    await refuseFailure(route, response);
    return { status: response.statusCode ?? 0, headers: response.headers, body: response };
  }

  /** The JSON of an answer; undefined when there is none. @throws ApiError when the status is 400 or more. */
  async json<T>(route: string, options: CallOptions = {}): Promise<T> {
    const answer = await text((await this.call(route, options)).body);
    return (answer === '' ? undefined : JSON.parse(answer)) as T;
  }

  /** Takes the connection for raw bytes both ways. @throws ApiError when the engine refuses. */
  async upgrade(route: string, options: CallOptions = {}): Promise<UpgradedAnswer> {
    const request = this.#begin(route, options, { Connection: 'Upgrade', Upgrade: 'tcp' });
    const refused = once(request, 'response').then(async ([response]: IncomingMessage[]) => {
      if (response !== undefined) await refuseFailure(route, response);
      request.destroy();
      throw new ApiError('the engine did not change to raw bytes', response?.statusCode ?? 0, route);
    });
    refused.catch(() => undefined);
    const upgraded = once(request, 'upgrade') as Promise<[IncomingMessage, Socket, Buffer]>;
    upgraded.catch(() => undefined);
    const [response, socket, head] = await Promise.race([upgraded, refused]);
    if (head.length > 0) socket.unshift(head);
    endWith(options.signal, socket);
    return { headers: response.headers, socket };
  }

  #begin(route: string, options: CallOptions, more: Readonly<Record<string, string>>): ClientRequest {
    const { method, target } = targetOf(route, options.path ?? {}, options.query ?? {});
    const { body, signal, headers = {} } = options;
    signal?.throwIfAborted();
    const type = isBytes(body) || body === undefined ? {} : { 'Content-Type': 'application/json' };
    const request = send({
      method,
      path: `${this.#prefix}${target}`,
      headers: { Host: 'gantry', ...type, ...more, ...headers },
      // Without an agent: a connection that waits for the next request would outlive an engine that stops.
      createConnection: () => this.transport.connect() as Socket,
    });
    endWith(signal, request);
    request.on('error', () => undefined); // `once` rejects with it; a later one ends the body, which reports it
    write(request, body);
    return request;
  }
}

/** Destroys a stream when the signal aborts, with its reason. */
function endWith(signal: AbortSignal | undefined, stream: ClientRequest | Duplex | Readable): void {
  if (signal === undefined) return;
  const end = (): void => void stream.destroy(reasonOf(signal));
  signal.addEventListener('abort', end, { once: true });
  stream.once('close', () => signal.removeEventListener('abort', end));
}

const reasonOf = ({ reason }: AbortSignal): Error => (reason instanceof Error ? reason : new Error(String(reason)));

async function refuseFailure(route: string, response: IncomingMessage): Promise<void> {
  const status = response.statusCode ?? 0;
  if (status < 400) return;
  const answer = await text(response);
  throw new ApiError(messageOf(answer) ?? `the engine answered ${status}`, status, route);
}

function messageOf(answer: string): string | undefined {
  try {
    const { message } = JSON.parse(answer) as { readonly message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return answer.trim() === '' ? undefined : answer.trim();
  }
}

const isIterable = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

const isBytes = (body: unknown): body is Bytes =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream || isIterable(body);

function write(request: ClientRequest, body: unknown): void {
  if (body === undefined) request.end();
  else if (!isBytes(body)) request.end(JSON.stringify(body));
  else if (typeof body === 'string' || body instanceof Uint8Array) request.end(body);
  else {
    const source = body instanceof Readable ? body : Readable.from(body, { objectMode: false });
    // Before the pipeline destroys the request without a reason.
    source.once('error', (error) => request.destroy(error));
    void pipeline(source, request).catch(() => undefined);
  }
}
