import { Agent, type IncomingMessage, type RequestOptions, request as startRequest } from 'node:http';
import { join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Config, inject, injectable, Lifetime, PackageDirectories } from '@gantry/core/driver';
import { EngineError, type ErrorKind, unavailable } from '@gantry/core/errors';
import { EngineApi } from '@gantry/engine-api/service';
import type { ConsoleConfig } from '../config.js';
import { messageIn } from './message-in.js';

const kinds: Readonly<Record<number, ErrorKind>> = {
  400: 'invalid-argument',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
};

/**
 * Connects to the engine's API like other clients, through a socket of the console's own: authorization plugins, access
 * lists and limits apply to its requests.
 */
@injectable()
export class EngineConnection {
  readonly #socketPath: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(
    @inject(Config) private readonly config: ConsoleConfig,
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(PackageDirectories) { state }: PackageDirectories,
  ) {
    this.#socketPath = join(state, 'api.sock');
  }

  async start(): Promise<void> {
    const { allow } = this.config;
    this.lifetime.add(
      await this.api.serveAt(this.#socketPath, allow && { option: 'config.plugins["console"].allow', allow }),
    );
    this.lifetime.add(() => this.#agent.destroy());
  }

  /**
   * Sends a request, and a body as it comes. Resolves to the head of the answer, whose body is the caller's.
   * @param path without its version: the newest is spoken.
   */
  async ask(options: Pick<RequestOptions, 'method' | 'path' | 'headers' | 'signal'>, body?: Readable) {
    const request = startRequest({ ...this.#common(options), agent: this.#agent });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', (cause) => reject(unavailable('the engine did not answer', { cause })));
    });
    // The engine may answer, and end the connection, before it has read all of the body.
    if (body === undefined) request.end();
    else pipeline(body, request).catch(() => undefined);
    return answer;
  }

  /** Starts what the API answers with a raw stream both ways. @throws EngineError with the engine's own message. */
  async hijack(path: string, body: object): Promise<Duplex> {
    const content = Buffer.from(JSON.stringify(body));
    const request = startRequest({
      ...this.#common({ method: 'POST', path }),
      headers: {
        Host: 'console',
        'Content-Type': 'application/json',
        'Content-Length': content.length,
        Connection: 'Upgrade',
        Upgrade: 'tcp',
      },
    });
    return new Promise((resolve, reject) => {
      request.once('upgrade', (_answer, socket, head) => {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      request.once('response', (answer) => void errorOf(answer).then(reject, reject));
      request.once('error', (cause) => reject(unavailable('the engine did not answer', { cause })));
      request.end(content);
    });
  }

  #common(options: Pick<RequestOptions, 'method' | 'path' | 'headers' | 'signal'>): RequestOptions {
    const headers = { ...options.headers, host: 'console' };
    return { ...options, headers, path: `/v${this.api.apiVersion}${options.path}`, socketPath: this.#socketPath };
  }
}

async function errorOf(answer: IncomingMessage): Promise<EngineError> {
  return new EngineError(kinds[answer.statusCode ?? 500] ?? 'unavailable', messageIn(await text(answer)));
}
