import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type Method = (body: Readonly<Record<string, unknown>>) => unknown;

export interface PluginCall {
  readonly method: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A plugin in the test's own process, at a real socket. */
export class FakePlugin {
  readonly calls: PluginCall[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(
    readonly socketPath: string,
    /** By name such as `VolumeDriver.Get`; what one throws becomes `Err`, bytes leave as they are. */
    readonly methods: Record<string, Method>,
    private readonly directory: string | undefined,
  ) {}

  static async start(methods: Record<string, Method>, socketPath?: string): Promise<FakePlugin> {
    const directory = socketPath === undefined ? await mkdtemp(path.join(tmpdir(), 'gantry-plugin-')) : undefined;
    const where = socketPath ?? path.join(directory ?? '', 'plugin.sock');
    const plugin = new FakePlugin(where, methods, directory);
    await new Promise<void>((resolve, reject) => plugin.#server.on('error', reject).listen(where, resolve));
    return plugin;
  }

  /** Bodies of the calls of one method. */
  asked(method: string): readonly PluginCall['body'][] {
    return this.calls.filter((call) => call.method === method).map(({ body }) => body);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
    if (this.directory !== undefined) await rm(this.directory, { recursive: true, force: true });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = (request.url ?? '').slice(1);
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString() || '{}') as PluginCall['body'];
    this.calls.push({ method, body });
    const found = this.methods[method];
    try {
      if (found === undefined) {
        response.statusCode = 404;
        response.end('404 page not found\n');
        return;
      }
      const result = await found(body);
      response.end(Buffer.isBuffer(result) ? result : JSON.stringify(result ?? {}));
    } catch (error) {
      response.statusCode = 500;
      response.end(JSON.stringify({ Err: (error as Error).message }));
    }
  }
}
