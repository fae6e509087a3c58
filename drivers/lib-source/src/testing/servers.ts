import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';

/** A web server on the loopback until the end of the test. @returns its URL without a trailing slash. */
export async function serveHttp(t: ExecutionContext, listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(t, createServer(listener))}`;
}

/** The same over HTTPS. */
export async function serveHttps(
  t: ExecutionContext,
  certificate: { readonly cert: Buffer; readonly key: Buffer },
  listener: RequestListener,
): Promise<string> {
  return `https://127.0.0.1:${await listen(t, createSecureServer(certificate, listener))}`;
}

async function listen(t: ExecutionContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Requires basic authentication. */
export const withPassword =
  (username: string, password: string, inner: RequestListener): RequestListener =>
  (asked, answer) => {
    const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (asked.headers.authorization === expected) return inner(asked, answer);
    asked.resume();
    answer.writeHead(401, { 'www-authenticate': 'Basic realm="source"' }).end('unauthorized');
  };

/** git-http-backend for the repositories below a directory. */
export const gitBackend =
  (directory: string): RequestListener =>
  (asked, answer) => {
    const url = new URL(asked.url ?? '', 'http://x');
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: directory,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: asked.method,
        CONTENT_TYPE: asked.headers['content-type'],
        HTTP_CONTENT_ENCODING: asked.headers['content-encoding'],
        HTTP_GIT_PROTOCOL: asked.headers['git-protocol'] as string,
        REMOTE_ADDR: '127.0.0.1',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    backend.stdin.on('error', () => undefined);
    asked.pipe(backend.stdin);
    let head = Buffer.alloc(0);
    const onHead = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      backend.stdout.off('data', onHead);
      const fields = head.subarray(0, end).toString().split('\r\n');
      const status = fields.find((field) => field.startsWith('Status: '))?.slice('Status: '.length);
      answer.statusCode = Number(status?.split(' ')[0] ?? 200);
      for (const field of fields.filter((name) => !name.startsWith('Status: '))) {
        const at = field.indexOf(': ');
        answer.setHeader(field.slice(0, at), field.slice(at + 2));
      }
      answer.write(head.subarray(end + 4));
      backend.stdout.pipe(answer);
    };
    backend.stdout.on('data', onHead);
    backend.stdout.on('end', () => answer.end());
  };

/** Forwards every request to another server. */
export const forwardTo =
  (target: string): RequestListener =>
  (asked, answer) => {
    const { method = 'GET', headers } = asked;
    // A fresh connection each: the server may close an idle one at the same moment.
    const passed = request(new URL(asked.url ?? '', target), { method, headers, agent: false });
    passed.on('response', (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A server program on the loopback until the end of the test. @returns the port, once it listens. */
export async function serveProgram(
  t: ExecutionContext,
  start: (port: string) => ChildProcess | Promise<ChildProcess>,
): Promise<number> {
  for (;;) {
    const port = await freePort();
    const program = await start(String(port));
    const ended = once(program, 'exit');
    t.teardown(async () => {
      if (program.kill('SIGKILL')) await ended;
    });
    // Another process may have taken the port meanwhile: the program exits, and another port is tried.
    while (program.exitCode === null) {
      if (await listens(port)) return port;
      await delay(20);
    }
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
