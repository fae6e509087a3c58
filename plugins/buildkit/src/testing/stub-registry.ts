import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestOwner } from '@gantry/test-engine';

/** What was pushed, by its path. */
type Content = Map<string, { readonly bytes: Buffer; readonly type: string }>;

/** A registry in the test's process, which keeps what is pushed to it. @returns its `host:port`. */
export async function startStubRegistry(t: TestOwner): Promise<string> {
  const content: Content = new Map();
  const server = createServer((request, response) => void serve(content, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serve(content: Content, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://registry');
  const bytes = await buffer(request);
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  if (request.method === 'POST') {
    response.writeHead(202, { Location: `${pathname}one` }).end();
  } else if (request.method === 'PUT' && pathname.endsWith('/blobs/uploads/one')) {
    content.set(pathname.replace('uploads/one', searchParams.get('digest') ?? ''), { bytes, type: 'blob' });
    response.writeHead(201).end();
  } else if (request.method === 'PUT') {
    const stored = { bytes, type: request.headers['content-type'] ?? '' };
    for (const path of [pathname, pathname.replace(/[^/]+$/, digest)]) content.set(path, stored);
    response.writeHead(201, { 'Docker-Content-Digest': digest }).end();
  } else if (pathname === '/v2/') {
    response.end('{}');
  } else {
    send(content.get(pathname), request, response);
  }
}

function send(
  found: { readonly bytes: Buffer; readonly type: string } | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (found === undefined) {
    response.writeHead(404, { 'Content-Type': 'application/json' });
    response.end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}');
    return;
  }
  response.writeHead(200, { 'Content-Type': found.type, 'Content-Length': found.bytes.length });
  response.end(request.method === 'HEAD' ? undefined : found.bytes);
}
