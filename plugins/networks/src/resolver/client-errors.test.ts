import { createSocket, type Socket } from 'node:dgram';
import { type EventEmitter, once } from 'node:events';
import { connect, createServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { encode } from 'dns-packet';
import type { ContainerNames } from './container-names.js';
import { framed } from './forward.js';
import { Resolver } from './resolver.js';

const query = encode({ type: 'query', id: 7, questions: [{ name: 'web', type: 'A' }] });

const names = (lookup: () => readonly string[] | undefined) =>
  ({ lookup, reverse: () => undefined, mayForward: () => true }) as unknown as ContainerNames;

/** A resolver on sockets of the host; errors are collected. */
async function start(t: ExecutionContext, lookup: () => readonly string[] | undefined, nameservers: string[] = []) {
  const udp = createSocket('udp4');
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  const tcp = createServer().listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const errors: unknown[] = [];
  const resolver = new Resolver({ udp, tcp }, names(lookup), nameservers, (error) => errors.push(error));
  t.teardown(() => resolver.close());
  return { udp, tcp, errors, resolver };
}

/** Delivers a datagram with a source that a client can only spoof. */
const deliver = (udp: Socket, port: number): void => {
  (udp as EventEmitter).emit('message', query, { address: '127.0.0.1', port, family: 'IPv4', size: query.length });
};

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('a query from port 0 is dropped', async (t) => {
  const { udp, errors } = await start(t, () => ['10.0.0.2']);
  deliver(udp, 0);
  await until(() => errors.length > 0);
  t.is(errors.length, 1);
});

test('an answer that arrives after the sandbox was removed is dropped', async (t) => {
  const silent = createSocket('udp4');
  t.teardown(() => silent.close());
  silent.bind(53, '127.99.3.1');
  await once(silent, 'listening');
  const { udp, errors, resolver } = await start(t, () => undefined, ['127.99.3.1']);
  const client = createSocket('udp4');
  t.teardown(() => client.close());
  client.send(query, udp.address().port, '127.0.0.1');
  const [message, { port, address }] = await once(silent, 'message');
  resolver.close();
  await new Promise((resolve) => silent.send(message, port, address, resolve));
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.deepEqual(errors, []);
});

test('a failure while answering is reported and the resolver keeps working', async (t) => {
  let fails = true;
  const { tcp, errors } = await start(t, () => {
    if (fails) throw new Error('broken');
    return ['10.0.0.2'];
  });
  const client = connect((tcp.address() as { port: number }).port, '127.0.0.1');
  t.teardown(() => client.destroy());
  client.write(framed(query));
  await until(() => errors.length > 0);
  fails = false;
  client.write(framed(query));
  const [answer] = await once(client, 'data');
  t.true(answer.length > 12);
});
