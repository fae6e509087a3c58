import { once } from 'node:events';
import { closeSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { AF_UNIX, SOCK_CLOEXEC, SOCK_SEQPACKET } from '../ffi/constants.js';
import { SystemCall } from '../system-calls/system-call.js';
import { kernelSeqpacket } from './kernel-seqpacket.js';
import { PacketStream } from './packet-stream.js';
import type { SeqpacketConnection } from './seqpacket.js';
import { unixAddress } from './unix-address.js';

const socket = new SystemCall<[number, number, number]>('socket', 'int', ['int', 'int', 'int']);
const socketpair = new SystemCall<[number, number, number, Int32Array]>('socketpair', 'int', [
  'int',
  'int',
  'int',
  'void *',
]);
const bind = new SystemCall<[number, Uint8Array, number]>('bind', 'int', ['int', 'void *', 'uint']);
const listen = new SystemCall<[number, number]>('listen', 'int', ['int', 'int']);
const accept = new SystemCall<[number, null, null]>('accept', 'int', ['int', 'void *', 'void *']);

function pair(t: ExecutionContext): readonly [PacketStream, PacketStream] {
  const fds = new Int32Array(2);
  socketpair.call(undefined, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds);
  const [one, other] = [new PacketStream(fds[0] ?? -1), new PacketStream(fds[1] ?? -1)];
  t.teardown(() => {
    one.destroy();
    other.destroy();
  });
  return [one, other];
}

async function listener(t: ExecutionContext, name: string, backlog = 10) {
  const root = await mkdtemp(join(tmpdir(), 'seqpacket-'));
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  const fd = socket.call(undefined, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  // Bound by a short way, as conmon does it.
  const { open } = await import('node:fs/promises');
  const directory = await open(dirname(path), 'r');
  const address = unixAddress(`/proc/self/fd/${directory.fd}/${basename(path)}`) ?? Buffer.alloc(0);
  bind.call(path, fd, address, address.length);
  await directory.close();
  listen.call(path, fd, backlog);
  t.teardown(async () => {
    closeSync(fd);
    await rm(root, { recursive: true });
  });
  return { path, accept: () => new PacketStream(accept.call(undefined, fd, null, null)) };
}

/** Packets until the end, with the other direction left open. */
async function packets(stream: SeqpacketConnection): Promise<Buffer[]> {
  const found: Buffer[] = [];
  stream.on('data', (packet: Buffer) => found.push(packet));
  await once(stream, 'end');
  return found;
}

test('each packet is one data event, with its borders', async (t) => {
  const [one, other] = pair(t);
  const reading = packets(other);
  one.write('a');
  one.write('bc');
  one.write(Buffer.alloc(8192, 3));
  one.end('last');
  t.deepEqual(
    (await reading).map(({ length }) => length),
    [1, 2, 8192, 4],
  );
});

test('what is longer than a packet goes out as several, in order', async (t) => {
  const [one, other] = pair(t);
  const bytes = Buffer.from(Uint8Array.from({ length: 100_000 }, (_, index) => index % 251));
  const reading = packets(other);
  one.end(bytes);
  const found = await reading;
  t.deepEqual(
    found.map(({ length }) => length),
    [32768, 32768, 32768, 1696],
  );
  t.true(Buffer.concat(found).equals(bytes));
});

test('packets that wait for an iteration are not joined', async (t) => {
  const [one, other] = pair(t);
  for (const packet of ['a', 'b', 'c']) one.write(packet);
  one.end();
  await delay(5);
  const found: string[] = [];
  for await (const packet of other) found.push(String(packet));
  t.deepEqual(found, ['a', 'b', 'c']);
});

test('end closes one direction, destroy both', async (t) => {
  const [one, other] = pair(t);
  one.end();
  t.deepEqual(await packets(other), []);
  const reading = packets(one);
  other.write('still');
  other.end();
  t.deepEqual((await reading).map(String), ['still']);
});

test('pause leaves packets in the kernel and holds the sender up', async (t) => {
  const [one, other] = pair(t);
  let received = 0;
  let expected = 0;
  other.on('data', (packet: Buffer) => {
    received += packet.length;
  });
  other.pause();
  while (one.write(Buffer.alloc(4096))) expected += 4096;
  expected += 4096;
  await delay(30);
  t.is(received, 0);
  t.true(one.writableLength > 0, 'the kernel takes no more');
  other.resume();
  one.end();
  await once(other, 'end');
  t.is(received, expected);
});

test('writing to a closed peer is an error', async (t) => {
  const [one, other] = pair(t);
  other.destroy();
  await once(other, 'close');
  const failed = once(one, 'error');
  one.write('x');
  const [error] = (await failed) as [NodeJS.ErrnoException];
  t.is(error.code, 'EPIPE');
});

test('a path of any length is connected to', async (t) => {
  for (const name of ['attach', `${'deep/'.repeat(40)}attach`]) {
    const server = await listener(t, name);
    const connection = await kernelSeqpacket.connect(server.path);
    const accepted = server.accept();
    accepted.end('hello');
    t.deepEqual((await packets(connection)).map(String), ['hello']);
    connection.destroy();
    accepted.destroy();
  }
});

test('a socket that is not there or not listened to is an error', async (t) => {
  await t.throwsAsync(kernelSeqpacket.connect('/no/such/socket'), { code: 'ENOENT' });
  await t.throwsAsync(kernelSeqpacket.connect(`/${'x'.repeat(150)}/socket`), { code: 'ENOENT' });
});

test('a listener that is busy is waited for until the signal', async (t) => {
  const server = await listener(t, 'attach', 0);
  const first = await kernelSeqpacket.connect(server.path);
  await t.throwsAsync(kernelSeqpacket.connect(server.path, { signal: AbortSignal.timeout(40) }), {
    name: 'AbortError',
  });
  const waiting = kernelSeqpacket.connect(server.path);
  await delay(10);
  const accepted = server.accept();
  const second = await waiting;
  for (const stream of [first, second, accepted]) stream.destroy();
});

test.serial('destroyed connections leave no descriptor behind', async (t) => {
  const before = readdirSync('/proc/self/fd').length;
  const [one, other] = pair(t);
  one.destroy();
  other.destroy();
  await once(other, 'close');
  t.is(readdirSync('/proc/self/fd').length, before);
});
