import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Scope } from '@gantry/test-nodes';

interface Stored {
  readonly bytes: Buffer;
  readonly type: string;
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * A registry in the test's own process that serves what was pushed. @param credentials without which it refuses everything.
 * @returns its `host:port`.
 */
export async function startStubRegistry(t: Scope, credentials?: Credentials): Promise<string> {
  const blobs = new Map<string, Stored>();
  const manifests = new Map<string, Stored>();
  const wanted = credentials && `Basic ${btoa(`${credentials.username}:${credentials.password}`)}`;
  const server = createServer((request, response) => {
    if (wanted === undefined || request.headers.authorization === wanted) {
      void serve(request, response, blobs, manifests);
    } else {
      request.resume();
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="stub"' });
      response.end('{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  blobs: Map<string, Stored>,
  manifests: Map<string, Stored>,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://registry');
  const bytes = await buffer(request);
  const [, repository = '', kind = '', name = ''] = /^\/v2\/(.+)\/(blobs|manifests)\/(.+)$/.exec(pathname) ?? [];
  if (request.method === 'POST') {
    response.writeHead(202, { Location: `/v2/${repository}/blobs/uploads/one` }).end();
  } else if (request.method === 'PUT' && kind === 'blobs') {
    blobs.set(searchParams.get('digest') ?? '', { bytes, type: 'application/octet-stream' });
    response.writeHead(201).end();
  } else if (request.method === 'PUT') {
    const stored = { bytes, type: request.headers['content-type'] ?? '' };
    manifests.set(`${repository}:${name}`, stored);
    manifests.set(`${repository}:${digestOf(bytes)}`, stored);
    response.writeHead(201).end();
  } else if (pathname === '/v2/') {
    response.end('{}');
  } else {
    const found = kind === 'blobs' ? blobs.get(name) : manifests.get(`${repository}:${name}`);
    const digest = found === undefined ? '' : digestOf(found.bytes);
    const headers = {
      'Content-Type': found?.type,
      'Docker-Content-Digest': digest,
      'Content-Length': found?.bytes.length,
    };
    if (found === undefined) response.writeHead(404).end('{}');
    else response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : found.bytes);
  }
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
