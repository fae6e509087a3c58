import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { joinConnections } from './join-connections.js';

/** Both ends of a connection. */
async function connection(t: ExecutionContext): Promise<readonly [near: Socket, far: Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => void server.close());
  await once(server, 'listening');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  t.teardown(() => void near.destroy());
  t.teardown(() => void far.destroy());
  return [near, far];
}

test('what came before the end of one connection reaches the other, however late that is read', async (t) => {
  const [[one, farOne], [other, farOther]] = [await connection(t), await connection(t)];
  joinConnections(one, other);
  const size = 20 * 2 ** 20;
  farOne.end(Buffer.alloc(size));
  farOther.pause();
  await delay(300);
  let received = 0;
  farOther.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  farOther.resume();
  await once(farOther, 'end');
  t.is(received, size);
  if (!other.destroyed) await once(other, 'close');
  t.true(one.destroyed);
});

test('a connection that breaks ends the other at once', async (t) => {
  const [[one, farOne], [other, farOther]] = [await connection(t), await connection(t)];
  joinConnections(one, other);
  farOther.on('error', () => undefined);
  farOne.resetAndDestroy();
  await once(farOther, 'close');
  if (!other.destroyed) await once(other, 'close');
  t.true(one.destroyed && other.destroyed);
});

test('a connection whose other end goes on sending is ended all the same', async (t) => {
  const [[one, farOne], [other, farOther]] = [await connection(t), await connection(t)];
  joinConnections(one, other);
  farOther.on('error', () => undefined);
  farOther.allowHalfOpen = true;
  const sending = setInterval(() => farOther.write('more'), 50);
  t.teardown(() => clearInterval(sending));
  farOne.end();
  await once(other, 'close');
  t.true(one.destroyed);
});
