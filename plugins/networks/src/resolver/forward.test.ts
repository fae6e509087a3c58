import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import { decode, encode } from 'dns-packet';
import { forwardTcp, forwardUdp } from './forward.js';

const question = encode({ type: 'query', id: 7, flags: 0x100, questions: [{ name: 'example.test', type: 'A' }] });

/** A name server on a loopback address of its own; without an answer it stays silent. */
async function nameserver(t: ExecutionContext, number: number, answer?: { code?: number; data?: string }) {
  const address = `127.${100 + (process.pid % 100)}.${(process.pid >> 8) % 250}.${number}`;
  const socket = createSocket('udp4');
  t.teardown(() => socket.close());
  socket.on('message', (message, { port, address: from }) => {
    if (answer === undefined) return;
    const { data } = answer;
    const { id = 0, questions = [] } = decode(message);
    const answers = data === undefined ? [] : [{ type: 'A' as const, name: 'example.test', data }];
    socket.send(encode({ type: 'response', id, flags: answer.code ?? 0, questions, answers }), port, from);
  });
  socket.bind(53, address);
  await once(socket, 'listening');
  return address;
}

const dataOf = (message: Buffer | undefined): readonly unknown[] | undefined =>
  message && decode(message).answers?.map((answer) => ('data' in answer ? answer.data : undefined));

test('a server that is silent, unreachable or refuses is followed by the next one', async (t) => {
  const silent = await nameserver(t, 1);
  const refusing = await nameserver(t, 2, { code: 2 });
  const knows = await nameserver(t, 3, { data: '192.0.2.7' });
  const closed = knows.replace(/\d+$/, '4');
  const began = performance.now();
  t.deepEqual(dataOf(await forwardUdp(question, [refusing, closed, knows])), ['192.0.2.7']);
  t.deepEqual(dataOf(await forwardUdp(question, [silent, knows])), ['192.0.2.7']);
  t.true(performance.now() - began < 4000);
});

test('the refusal of a server is passed on when no server answers, before clients time out', async (t) => {
  const silent = await nameserver(t, 11);
  const refusing = await nameserver(t, 12, { code: 5 });
  t.is((await forwardUdp(question, [refusing]))?.readUInt8(3), 5);
  const began = performance.now();
  t.is((await forwardUdp(question, [refusing, silent, silent]))?.readUInt8(3), 5);
  t.is(await forwardUdp(question, []), undefined);
  t.true(performance.now() - began < 4900);
});

test('the answer that a name does not exist is final', async (t) => {
  const negative = await nameserver(t, 21, { code: 3 });
  const positive = await nameserver(t, 22, { data: '192.0.2.9' });
  t.is((await forwardUdp(question, [negative, positive]))?.readUInt8(3), 3);
});

test('a name server that cannot be reached at all is skipped', async (t) => {
  // UDP to the broadcast address is refused when the socket connects, as it is without a route.
  const unreachable = '255.255.255.255';
  const reachable = await nameserver(t, 31, { data: '192.0.2.31' });
  t.is(await forwardUdp(question, [unreachable]), undefined);
  t.deepEqual(dataOf(await forwardUdp(question, [unreachable, 'fe80::1%absent', reachable])), ['192.0.2.31']);
  t.is(await forwardTcp(question, [unreachable, 'not an address']), undefined);
});
