import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { messageOf, unavailable } from '@gantry/core/errors';

/** Milliseconds for a server to respond, and bytes of the response that are kept. */
const responseTimeout = 30_000;
const maxResponse = 64 * 1024;

export interface HttpRequest {
  readonly method: string;
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** Requests over one kept-alive connection. */
export class HttpClient {
  readonly #plain = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #secure: SecureAgent;

  constructor(secure: ConnectionOptions = {}) {
    this.#secure = new SecureAgent({ keepAlive: true, maxSockets: 1, ...secure } as object);
  }

  /** Any status resolves. Rejects `unavailable` without a response. */
  async send({ method, url, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
    const target = new URL(url);
    const isSecure = target.protocol === 'https:';
    const length = body === undefined ? 0 : Buffer.byteLength(body);
    try {
      return await new Promise<HttpAnswer>((resolve, reject) => {
        const options = {
          method,
          headers: { ...headers, 'Content-Length': `${length}` },
          agent: isSecure ? this.#secure : this.#plain,
          signal: AbortSignal.any([signal, AbortSignal.timeout(responseTimeout)]),
        };
        const request = isSecure ? httpsRequest(target, options) : httpRequest(target, options);
        request.on('response', (answer) => collect(answer).then(resolve, reject));
        request.on('error', reject);
        request.end(body);
      });
    } catch (error) {
      throw unavailable(`no answer from ${target.origin}: ${messageOf(error)}`, { cause: error });
    }
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

async function collect(answer: IncomingMessage): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    const bytes: Buffer = chunk;
    length += bytes.length;
    if (length <= maxResponse) chunks.push(bytes);
  }
  return { status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() };
}
