import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { silentLogger, untilAborted } from '@gantry/core/driver';
import { EngineError, notFound } from '@gantry/core/errors';
import { joinConnections } from '@gantry/core/streams';
import test, { type ExecutionContext } from 'ava';
import { fetchRootCertificate } from './client/fetch-root-certificate.js';
import { NodeConnection } from './client/node-connection.js';
import type { NodeIdentity } from './identity/node-identity.js';
import { NodeListener } from './server/node-listener.js';
import type { NodeRoute } from './server/node-route.js';
import { identityOf, listen, manager, newRoot, root } from './testing/start-manager.js';

const run = promisify(execFile);

async function connectAs(t: ExecutionContext, address: string, identity?: NodeIdentity): Promise<NodeConnection> {
  const connection = await NodeConnection.open(address, { identity: identity ?? { trust: root.certificate } });
  t.teardown(() => connection.close());
  return connection;
}

const whoAmI: NodeRoute = { type: 'call', access: 'nodes', answer: async ({ body, peer }) => ({ ...peer, body }) };
const kind = async (t: ExecutionContext, work: Promise<unknown>) =>
  (await t.throwsAsync(work, { instanceOf: EngineError })).kind;

test('a call carries a value each way, and the manager knows the node by its certificate', async (t) => {
  const worker = await connectAs(t, await listen(t, { '/who': whoAmI }), await identityOf('worker'));
  t.like(await worker.call('/who', { a: 1 }), { nodeId: 'worker1', role: 'worker', swarmId: 'swarm1', body: { a: 1 } });
});

test('an error keeps its kind and its message', async (t) => {
  const answer = () => Promise.reject(notFound('there is no task x'));
  const worker = await connectAs(t, await listen(t, { '/x': { ...whoAmI, answer } as NodeRoute }), manager);
  const error = await t.throwsAsync(worker.call('/x', null), { message: 'there is no task x' });
  t.is((error as EngineError).kind, 'not-found');
});

test('without a certificate of the swarm only what anyone may ask is answered', async (t) => {
  const open: NodeRoute = { type: 'call', access: 'anyone', answer: async () => 'ok' };
  const address = await listen(t, { '/open': open, '/who': whoAmI });
  const other = await identityOf('worker', { by: await newRoot() });
  for (const identity of [undefined, other]) {
    const connection = await connectAs(t, address, identity);
    t.is(await connection.call('/open', null), 'ok');
    t.is(await kind(t, connection.call('/who', null)), 'unauthorized');
  }
});

test('what managers may ask is refused to workers', async (t) => {
  const address = await listen(t, { '/who': { ...whoAmI, access: 'managers' } });
  t.is(await kind(t, (await connectAs(t, address, await identityOf('worker'))).call('/who', null)), 'forbidden');
  t.like(await (await connectAs(t, address, manager)).call('/who', null), { role: 'manager' });
});

test('an expired certificate is accepted only where it is renewed', async (t) => {
  const address = await listen(t, { '/who': whoAmI, '/renew': { ...whoAmI, acceptsExpired: true } });
  const expired = await connectAs(t, address, await identityOf('worker', { expired: true }));
  t.is(await kind(t, expired.call('/who', null)), 'unauthorized');
  t.like(await expired.call('/renew', null), { nodeId: 'worker1', isExpired: true });
  const foreign = await identityOf('worker', { expired: true, by: await newRoot() });
  t.is(await kind(t, (await connectAs(t, address, foreign)).call('/renew', null)), 'unauthorized');
});

test('a manager that closes ends connections whose nodes have not proved who they are', async (t) => {
  const listener = await NodeListener.open({
    host: '127.0.0.1',
    port: 0,
    identity: manager,
    routes: new Map(),
    log: silentLogger,
  });
  const silent = connect(listener.port, '127.0.0.1');
  const closed = once(silent, 'close');
  await once(silent, 'connect');
  const proved = await connectAs(t, `127.0.0.1:${listener.port}`); // so that the one before it is accepted
  await listener.close();
  await closed;
  await untilAborted(proved.closed);
  t.pass();
});

test('a manager disconnects a node after its request was answered', async (t) => {
  const disconnects: (() => void)[] = [];
  const answer: NodeRoute = {
    type: 'call',
    access: 'nodes',
    answer: async ({ disconnect }) => void disconnects.push(disconnect),
  };
  const worker = await connectAs(t, await listen(t, { '/session': answer }), await identityOf('worker'));
  await worker.call('/session', null);
  await worker.call('/session', null); // the first one has ended on both sides
  t.false(worker.closed.aborted);
  disconnects[0]?.();
  await untilAborted(worker.closed);
});

test('a connection is resumed, also by a manager that was started again', async (t) => {
  const worker = await identityOf('worker');
  const start = (port: number) =>
    NodeListener.open({
      host: '127.0.0.1',
      port,
      identity: manager,
      routes: new Map([['/who', whoAmI]]),
      log: silentLogger,
    });
  let listener = await start(0);
  t.teardown(() => listener.close());
  const { port } = listener;
  const connect = async (identity: NodeIdentity) => {
    const connection = await connectAs(t, `127.0.0.1:${port}`, identity);
    t.like(await connection.call('/who', null), { nodeId: 'worker1', role: 'worker', isExpired: false });
    return connection.isResumed;
  };
  t.false(await connect(worker));
  t.true(await connect(worker));
  t.false(await connect({ ...worker }), 'each identity has sessions of its own');
  await listener.close();
  listener = await start(port);
  t.true(await connect(worker));
  listener.identity = { ...manager, trust: `${(await newRoot()).certificate}${manager.trust}` };
  t.false(await connect(worker), 'the trusted roots have changed');
  t.true(await connect(worker));
  listener.identity = await identityOf('manager');
  t.false(await connect(worker), 'the key has changed');
});

test('a connection that is resumed after the certificate has expired is that of an expired node', async (t) => {
  const address = await listen(t, { '/who': whoAmI, '/renew': { ...whoAmI, acceptsExpired: true } });
  const validFor = 12_000; // the first connection of a busy machine takes seconds
  const worker = await identityOf('worker', { validFor });
  t.like(await (await connectAs(t, address, worker)).call('/who', null), { isExpired: false });
  await delay(validFor + 100);
  const resumed = await connectAs(t, address, worker);
  t.true(resumed.isResumed);
  t.is(await kind(t, resumed.call('/who', null)), 'unauthorized');
  t.like(await resumed.call('/renew', null), { nodeId: 'worker1', isExpired: true });
});

test('a server without the certificate of a manager is not spoken to', async (t) => {
  for (const identity of [await identityOf('worker'), await identityOf('manager', { by: await newRoot() })]) {
    const address = await listen(t, {}, identity);
    t.is(await kind(t, connectAs(t, address, manager)), 'unavailable');
  }
});

test('a stream sends values as they come, until the node ends it', async (t) => {
  let ended = (): void => undefined;
  const hasEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const answer: Extract<NodeRoute, { type: 'stream' }>['answer'] = async function* ({ signal }) {
    signal.addEventListener('abort', ended);
    for (let count = 0; !signal.aborted; count++) {
      yield { count };
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const worker = await connectAs(t, await listen(t, { '/s': { type: 'stream', access: 'nodes', answer } }), manager);
  const seen: unknown[] = [];
  for await (const value of worker.stream('/s', null, new AbortController().signal)) {
    seen.push(value);
    if (seen.length === 3) break;
  }
  t.deepEqual(seen, [{ count: 0 }, { count: 1 }, { count: 2 }]);
  await hasEnded;
});

test('a stream that the end of the connection cuts off throws', async (t) => {
  const answer = async function* () {
    yield 1;
    await new Promise(() => undefined);
  };
  const worker = await connectAs(t, await listen(t, { '/s': { type: 'stream', access: 'nodes', answer } }), manager);
  const values = worker.stream('/s', null, new AbortController().signal);
  t.deepEqual(await values.next(), { value: 1, done: false });
  worker.close();
  t.is(await kind(t, values.next()), 'unavailable');
});

test('connections end at both ends when the host loses their address', async (t) => {
  const host = `10.254.${randomInt(256)}.${randomInt(1, 255)}`;
  const address = (...change: readonly string[]) => run('ip', ['address', ...change, `${host}/32`, 'dev', 'lo']);
  await address('add');
  t.teardown(() => address('delete').catch(() => undefined)); // it is lost already
  let ended = (): void => undefined;
  const hasEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const answer: Extract<NodeRoute, { type: 'stream' }>['answer'] = async function* ({ signal }) {
    signal.addEventListener('abort', ended);
    yield 1;
    await new Promise(() => undefined);
  };
  const routes: Readonly<Record<string, NodeRoute>> = { '/s': { type: 'stream', access: 'nodes', answer } };
  const at = await listen(t, routes, manager, host);
  const connection = await NodeConnection.open(at, { identity: manager });
  t.teardown(() => connection.close());
  const values = connection.stream('/s', null, new AbortController().signal);
  await values.next();
  await address('delete');
  await hasEnded;
  t.is(await kind(t, values.next()), 'unavailable');
});

test('an upload and a tunnel carry bytes behind a message', async (t) => {
  const uploads: unknown[] = [];
  const address = await listen(t, {
    '/up': {
      type: 'upload',
      access: 'nodes',
      answer: async ({ body }, bytes) => void uploads.push([body, (await buffer(bytes)).length]),
    },
    '/tunnel': { type: 'tunnel', access: 'nodes', answer: (_request, connection) => void connection.pipe(connection) },
  });
  const worker = await connectAs(t, address, manager);
  const bytes = async function* () {
    for (let count = 0; count < 100; count++) yield Buffer.alloc(10_000);
  };
  await worker.upload('/up', { id: 7 }, bytes(), new AbortController().signal);
  t.deepEqual(uploads, [[{ id: 7 }, 1_000_000]]);
  const tunnel = await worker.tunnel('/tunnel', null, new AbortController().signal);
  tunnel.end('echo');
  t.is((await buffer(tunnel)).toString(), 'echo');
});

test('a tunnel to a connection that ends carries all of it, more than the window of the stream', async (t) => {
  const size = 3_000_000;
  const server = createServer((socket) => void socket.end(Buffer.alloc(size)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const address = await listen(t, {
    '/tunnel': {
      type: 'tunnel',
      access: 'nodes',
      answer: (_request, connection) => joinConnections(connection, connect(port, '127.0.0.1')),
    },
  });
  const worker = await connectAs(t, address, manager);
  const tunnel = await worker.tunnel('/tunnel', null, new AbortController().signal);
  await delay(100); // the server has sent what there is room for
  let received = 0;
  for await (const chunk of tunnel) {
    received += chunk.length;
    await delay(1); // slower than it arrives
  }
  t.is(received, size);
});

test('the root certificate is read before anything is trusted', async (t) => {
  const ca: NodeRoute = { type: 'call', access: 'anyone', answer: async () => root.certificate };
  t.is(await fetchRootCertificate(await listen(t, { '/ca': ca }), '/ca'), root.certificate);
  t.is(await kind(t, fetchRootCertificate('127.0.0.1:1', '/ca')), 'unavailable');
});

test('a listener serves with another identity from then on', async (t) => {
  const listener = await NodeListener.open({
    host: '127.0.0.1',
    port: 0,
    identity: await identityOf('worker'),
    routes: new Map([['/who', whoAmI]]),
    log: silentLogger,
  });
  t.teardown(() => listener.close());
  listener.identity = manager;
  t.like(await (await connectAs(t, `127.0.0.1:${listener.port}`, manager)).call('/who', null), { nodeId: 'manager1' });
});
