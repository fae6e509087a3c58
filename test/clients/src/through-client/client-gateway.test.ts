import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { EngineClient, unixSocket } from 'gantry-client';
import { ClientGateway } from './client-gateway.js';

const id = { name: 'id', in: 'path' };
const document = {
  paths: {
    '/containers/{id}/json': { get: { parameters: [id], responses: { 200: {} } } },
    '/containers/{id}/attach': { post: { parameters: [id], responses: { 101: {}, 200: {} } } },
    '/images/{name}/tag': {
      post: { parameters: [{ ...id, name: 'name', description: 'may have slashes' }], responses: { 201: {} } },
    },
  },
};

/** An engine that answers with what it was asked, and echoes what comes on connections that it took over. */
async function startGateway(
  t: ExecutionContext,
): Promise<{ readonly gateway: ClientGateway; readonly socket: string }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-gateway-'));
  const engine = createServer(async ({ headers, method, url = '' }, response) => {
    if (url.endsWith('/openapi.json')) return response.end(JSON.stringify(document));
    if (url.includes('absent')) return response.writeHead(404).end('{"message":"No such container: absent"}');
    return response.writeHead(201, { 'X-Kept': 'yes' }).end(`${method} ${url} ${headers['x-sent']}`);
  });
  engine.on('upgrade', (_request, connection, head) => {
    connection.write(
      `HTTP/1.1 101 UPGRADED\r\nContent-Type: raw\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n${head}`,
    );
    connection.pipe(connection);
  });
  engine.listen(path.join(directory, 'engine.sock'));
  await once(engine, 'listening');
  const socket = path.join(directory, 'gateway.sock');
  const gateway = await ClientGateway.start(path.join(directory, 'engine.sock'), socket);
  t.teardown(async () => {
    await gateway.stop();
    engine.closeAllConnections();
    engine.close();
    await rm(directory, { recursive: true });
  });
  return { gateway, socket };
}

test('requests are sent by the client, as the operations they are', async (t) => {
  const { gateway, socket } = await startGateway(t);
  const client = new EngineClient(unixSocket(socket), { version: '1.24' });
  const { status, headers, body } = await client.open('POST /images/{name}/tag', {
    path: { name: 'a/b' },
    query: { tag: ['x y', '2'] },
    headers: { 'X-Sent': '1' },
  });
  t.is(await text(body), 'POST /v1.24/images/a%2Fb/tag?tag=x+y&tag=2 1');
  t.like([status, headers['x-kept']], [201, 'yes']);
  const error = await t.throwsAsync(client.open('GET /containers/absent/json'));
  t.like(error, { message: 'No such container: absent', status: 404 });
  await t.throwsAsync(client.open('GET /absent'), { message: /absent/ });
  t.deepEqual(gateway.report(), {
    operations: 3,
    used: { 'GET /containers/{id}/json': 1, 'POST /images/{name}/tag': 1 },
    unknownRoutes: ['GET /absent'],
    undocumented: ['POST /images/{name}/tag ?tag'],
  });
});

for (const [title, more, head] of [
  ['that asks for it', 'Connection: Upgrade\r\nUpgrade: tcp\r\n', 'HTTP/1.1 101'],
  ['that does not ask, as of old', '', 'HTTP/1.1 200'],
]) {
  test(`a client ${title} has raw bytes both ways, and can end its input`, async (t) => {
    const { socket } = await startGateway(t);
    const connection = createConnection({ path: socket, allowHalfOpen: true });
    connection.write(`POST /v1.24/containers/c/attach HTTP/1.1\r\nHost: engine\r\n${more}Content-Length: 0\r\n\r\n`);
    connection.end('sent');
    const answer = await text(connection);
    t.true(answer.startsWith(head ?? ''), answer);
    t.regex(answer, /content-type: raw\r\n[\s\S]*\r\n\r\nsent$/);
  });
}
