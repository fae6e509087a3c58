import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { EngineServer, type ServerLimits } from '../connections/engine-server.js';
import type { Router } from '../routing/router.js';
import { Surface, type SurfaceOptions } from '../surface/surface.js';

/** For the tests of this package: a surface that serves a Unix socket of its own until the test is over. */
interface HttpHarness {
  readonly surface: Surface;
  readonly server: EngineServer;
  readonly path: string;
  ask(method: string, target: string, options?: AskOptions): Promise<Answer>;
  /** Opens a connection and writes a request by hand. */
  wire(text?: string | Buffer): Promise<Wire>;
}

interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface HttpHarnessOptions extends Partial<SurfaceOptions> {
  readonly limits?: ServerLimits;
}

export async function startHarness(
  t: ExecutionContext,
  declare: (router: Router) => void,
  { limits, ...options }: HttpHarnessOptions = {},
): Promise<HttpHarness> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-http-'));
  const path = join(directory, 'engine.sock');
  const surface = new Surface({ name: 'test', ...options });
  surface.routes('test', declare);
  const server = await EngineServer.start(surface, { kind: 'unix', path }, limits);
  t.teardown(async () => {
    await server.stop(AbortSignal.abort());
    await rm(directory, { recursive: true });
  });
  return {
    surface,
    server,
    path,
    ask: (method, target, asked) => ask(path, method, target, asked),
    wire: (text) => Wire.open(path, text),
  };
}

export function ask(socketPath: string, method: string, path: string, options: AskOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath, method, path, agent: false, headers: options.headers ?? {} });
    request.once('error', reject);
    request.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    request.end(options.body);
  });
}

/** A connection by hand: what arrived is kept until it is asked for. */
export class Wire {
  #arrived = '';
  #ended = false;
  #wake: () => void = () => undefined;

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#arrived += text;
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    socket.on('end', end).on('close', end).on('error', end);
  }

  static async open(path: string, text?: string | Buffer): Promise<Wire> {
    const socket = createConnection({ path, allowHalfOpen: true });
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    if (text !== undefined) socket.write(text);
    return new Wire(socket);
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Everything up to and with the text. */
  async until(text: string): Promise<string> {
    for (;;) {
      const at = this.#arrived.indexOf(text);
      if (at >= 0) return this.#cut(at + text.length);
      if (this.#ended) throw new Error(`the connection ended; waited for ${text}, had ${this.#arrived}`);
      await this.#more();
    }
  }

  async head(): Promise<string> {
    return this.until('\r\n\r\n');
  }

  async take(length: number): Promise<string> {
    while (this.#arrived.length < length && !this.#ended) await this.#more();
    return this.#cut(length);
  }

  /** Everything to the end of the connection. */
  async rest(): Promise<string> {
    while (!this.#ended) await this.#more();
    return this.#cut(this.#arrived.length);
  }

  #cut(length: number): string {
    const taken = this.#arrived.slice(0, length);
    this.#arrived = this.#arrived.slice(length);
    return taken;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
