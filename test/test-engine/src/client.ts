import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes leave as they are, streams chunked; any other value as JSON. */
  readonly body?: unknown;
}

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** The body parsed, taken for what the test expects. @throws SyntaxError when it is not JSON. */
  json<T = Record<string, unknown>>(): T;
  /** The same for a body of one JSON object a line. */
  lines<T = Record<string, unknown>>(): readonly T[];
}

/** An answer whose body is still to come. */
export interface Opened {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** Leaves: the connection is destroyed. */
  leave(): void;
}

/** Talks HTTP to a Unix socket, one connection for each request. */
export class Client {
  readonly #requests = new Set<ClientRequest>();

  constructor(private readonly socketPath: () => string) {}

  async ask(method: string, path: string, options: AskOptions = {}): Promise<Answer> {
    const { body, headers, status } = await this.open(method, path, options);
    const bytes = await buffer(body);
    const text = bytes.toString('utf8');
    return {
      status,
      headers,
      text,
      bytes,
      json: () => JSON.parse(text),
      lines: () =>
        text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => JSON.parse(line)),
    };
  }

  async open(method: string, path: string, options: AskOptions = {}): Promise<Opened> {
    const request = this.#request(method, path, options, {});
    send(request, options.body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: response,
      leave: () => request.destroy(),
    };
  }

  /** @throws Error with the status and the body when the answer is not 101. */
  async hijack(method: string, path: string, options: AskOptions = {}): Promise<Socket> {
    const request = this.#request(method, path, options, { Connection: 'Upgrade', Upgrade: 'tcp' });
    send(request, options.body);
    const refused = once(request, 'response').then(async ([response]: IncomingMessage[]) => {
      const words = response === undefined ? '' : (await buffer(response)).toString();
      throw new Error(`${response?.statusCode}: ${words}`);
    });
    const [, socket, head] = (await Promise.race([once(request, 'upgrade'), refused])) as [unknown, Socket, Buffer];
    refused.catch(() => undefined);
    if (head.length > 0) socket.unshift(head);
    return socket;
  }

  destroy(): void {
    for (const request of this.#requests) request.destroy();
  }

  #request(method: string, path: string, options: AskOptions, more: Record<string, string>): ClientRequest {
    const type = isJson(options.body) ? { 'Content-Type': 'application/json' } : {};
    const request = httpRequest({
      socketPath: this.socketPath(),
      method,
      path,
      agent: false,
      headers: { ...type, ...more, ...options.headers },
    });
    this.#requests.add(request);
    request.once('close', () => this.#requests.delete(request));
    request.on('error', () => undefined); // `once` rejects with it; a later one also ends the body, which reports it
    return request;
  }
}

const isJson = (body: unknown): boolean =>
  body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body) && !(body instanceof Readable);

function send(request: ClientRequest, body: unknown): void {
  // A server that refuses a body early closes the connection: the caller sees the response, not the EPIPE.
  if (body instanceof Readable) void pipeline(body, request).catch(() => undefined);
  else if (body === undefined) request.end();
  else request.end(isJson(body) ? JSON.stringify(body) : body);
}
