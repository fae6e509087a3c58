import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';

/** What a call carries. */
export type Body = Readonly<Record<string, unknown>>;

/** Answers a call with the fields of the answer, or with a stream. What it throws becomes the error. */
export type Method = (body: Body) => object | undefined | Promise<object | undefined>;

/** Methods by name, such as `VolumeDriver.Create`. */
export type Methods = Readonly<Record<string, Method>>;

/** Serves a plugin at a socket until the process gets SIGTERM or SIGINT. The whole SDK. */
export function servePlugin(socketPath: string, methods: Methods): void {
  const Implements = [...new Set(Object.keys(methods).map((name) => name.replace(/\..*/, '')))];
  const all: Methods = { 'Plugin.Activate': () => ({ Implements }), ...methods };
  const server = createServer((request, response) => void answer(all, request, response));
  rmSync(socketPath, { force: true });
  server.listen(socketPath);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
}

async function answer(methods: Methods, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = methods[(request.url ?? '/').slice(1)];
  if (method === undefined) {
    response.writeHead(404).end(JSON.stringify({ Err: `no method ${request.url}` }));
    return;
  }
  try {
    const body = request.headers['content-length'] === '0' ? {} : ((await json(request)) as Body);
    const result = await method(body);
    if (result instanceof Readable) result.pipe(response);
    else response.end(JSON.stringify(result ?? {}));
  } catch (error) {
    response.writeHead(500).end(JSON.stringify({ Err: error instanceof Error ? error.message : String(error) }));
  }
}
