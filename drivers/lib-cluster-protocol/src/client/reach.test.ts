import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { reach } from './reach.js';

test('a process that is too busy to see that it was answered does not try again', async (t) => {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on('error', () => undefined).resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const reached = reach(`127.0.0.1:${(server.address() as AddressInfo).port}`, new AbortController().signal);
  await new Promise(setImmediate); // the host is asked
  for (const until = performance.now() + 600; performance.now() < until; ); // longer than it waits for an answer
  (await reached).destroy();
  await delay(50);
  t.is(accepted, 1);
});
