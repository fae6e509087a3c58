import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { ApiError } from './api-error.js';
import { type ClientOptions, EngineClient } from './engine-client.js';
import { transportOf } from './transport.js';

/** A client of a server that answers as the test says, over TCP. */
async function clientOf(
  t: ExecutionContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options?: ClientOptions,
): Promise<EngineClient> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return new EngineClient(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
}

test('a request has the version, the body and the media type; the answer is its JSON', async (t) => {
  const client = await clientOf(t, async (request, response) => {
    const { method, url, headers } = request;
    response.end(JSON.stringify([{ method, url, type: headers['content-type'], body: await text(request) }]));
  });
  const [seen] = (await client.containers.list({ all: true })) as readonly unknown[];
  t.deepEqual(seen, { method: 'GET', url: '/v1.51/containers/json?all=true', body: '' });
  const [created] = (await client.request('POST /volumes/create', { body: { Name: 'v' } })) as unknown as unknown[];
  t.deepEqual(created, {
    method: 'POST',
    url: '/v1.51/volumes/create',
    type: 'application/json',
    body: '{"Name":"v"}',
  });
});

for (const [version, path] of [
  ['1.41', '/v1.41/_ping'],
  [null, '/_ping'],
] as const) {
  test(`of version ${version} the path is ${path}`, async (t) => {
    const client = await clientOf(t, (request, response) => void response.end(request.url), { version });
    t.is(await text((await client.open('GET /_ping')).body), path);
  });
}

test('a refusal is an error with the message and the status', async (t) => {
  const client = await clientOf(t, (_request, response) => {
    response.writeHead(409).end('{"message":"no"}');
  });
  const error = await t.throwsAsync(client.info(), { instanceOf: ApiError, message: 'no' });
  t.like(error, { status: 409, request: 'GET /info' });
  await t.throwsAsync(client.containers.get('x').attach(), { message: 'no' });
});

test('an error at the end of a stream, and a connection that breaks, are thrown', async (t) => {
  const client = await clientOf(t, (request, response) => {
    response.write('{"status":"Pulling"}\n');
    if (request.url?.includes('broken')) setImmediate(() => response.destroy());
    else response.end('{"error":"no such thing","errorDetail":{"message":"no such thing"}}\n');
  });
  const seen: unknown[] = [];
  const pulling = client.images.pull('a:1', { onProgress: ({ status }) => seen.push(status) });
  await t.throwsAsync(pulling, { instanceOf: ApiError, message: 'no such thing' });
  t.deepEqual(seen, ['Pulling']);
  await t.throwsAsync(client.images.pull('broken'), { message: /aborted|socket hang up/ });
});

test('what is sent may be a stream of either kind, and its failure is that of the request', async (t) => {
  const client = await clientOf(t, async (request, response) => {
    const body = await text(request).catch(() => 'cut');
    response.end(`{"stream":"${body}"}\n`);
  });
  const loaded: unknown[] = [];
  const onProgress = ({ stream }: { readonly stream?: string | undefined }) => loaded.push(stream);
  await client.images.load(new Blob(['web']).stream() as never, { onProgress });
  await client.images.load('text', { onProgress });
  t.deepEqual(loaded, ['web', 'text']);
  async function* failing() {
    yield Buffer.from('begun');
    throw new Error('the disk is full');
  }
  await t.throwsAsync(client.images.load(failing()), { message: 'the disk is full' });
});

test('an address that is none is refused', (t) => {
  t.throws(() => transportOf('http+unix://x'), {
    message: '"http+unix://x" is neither unix:///PATH nor tcp://HOST:PORT',
  });
  t.notThrows(() => transportOf('tcp://[::1]:2375'));
});
