import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import { kernelNetlink } from '../netlink/kernel-netlink.js';
import { ipBytes, ipPrefix, ipText } from './ip-address.js';
import { kernelSockets } from './kernel-sockets.js';

test('addresses go to bytes and back in their shortest form', (t) => {
  for (const [text, short] of [
    ['0.0.0.0', '0.0.0.0'],
    ['255.1.2.3', '255.1.2.3'],
    ['::', '::'],
    ['::1', '::1'],
    ['fe80:0:0:0:0:0:0:1', 'fe80::1'],
    ['2001:db8::1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['1:0:3:4:5:6:7:8', '1:0:3:4:5:6:7:8'],
    ['::ffff:1.2.3.4', '::ffff:102:304'],
    ['fd00::', 'fd00::'],
  ] as const) {
    t.is(ipText(ipBytes(text)), short);
  }
  for (const text of ['', '1.2.3', '256.0.0.1', 'fe80::1::2', 'host'])
    t.throws(() => ipBytes(text), { instanceOf: TypeError });
  t.is(ipPrefix('10.0.0.1/8').length, 8);
  t.is(ipPrefix('::1').length, 128);
  for (const text of ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', '::/-1']) {
    t.throws(() => ipPrefix(text), { message: new RegExp(text.replaceAll('.', '\\.')) });
  }
});

test('sockets inside a namespace serve the daemon outside', async (t) => {
  const path = join(tmpdir(), `sockets-${process.pid}`);
  kernelNamespaces.createNetwork(path);
  t.teardown(() => void kernelNamespaces.removeNetwork(path));
  kernelNetlink.use(path, (socket) => socket.setLink('lo', { up: true }));

  const udp = kernelSockets.bindUdp({ address: '127.0.0.11', port: 0, namespace: path });
  const tcp = kernelSockets.listenTcp({ address: '127.0.0.11', port: 5353, namespace: path });
  t.is(tcp.port, 5353);
  t.true(udp.port > 0);
  t.throws(() => kernelSockets.listenTcp({ address: '127.0.0.11', port: 5353, namespace: path }), {
    code: 'EADDRINUSE',
    message: /127\.0\.0\.11:5353/,
  });
  const listening = kernelNamespaces.runInNetwork(path, () => readFileSync('/proc/thread-self/net/tcp', 'utf8'));
  t.regex(listening, /0B00007F:14E9/);

  const server = createServer((connection) => connection.end('tcp'));
  server.listen({ fd: tcp.fd });
  await once(server, 'listening');
  const datagrams = createSocket('udp4');
  datagrams.bind({ fd: udp.fd });
  datagrams.on('message', (message, { port, address }) => datagrams.send(message, port, address));

  const client = kernelSockets.bindUdp({ address: '127.0.0.1', port: 0, namespace: path });
  const asking = createSocket('udp4');
  asking.bind({ fd: client.fd });
  asking.send('udp', udp.port, '127.0.0.11');
  const [answer] = (await once(asking, 'message')) as [Buffer];
  t.is(answer.toString(), 'udp');
  asking.close();
  datagrams.close();
  server.close();
});

test('an IPv6 socket leaves the IPv4 port free', (t) => {
  const six = kernelSockets.listenTcp({ address: '::', port: 0 });
  const four = kernelSockets.listenTcp({ address: '0.0.0.0', port: six.port });
  t.is(four.port, six.port);
  closeSync(six.fd);
  closeSync(four.fd);
});

test('an address that is not ours is refused', (t) => {
  t.throws(() => kernelSockets.bindUdp({ address: '192.0.2.1', port: 0 }), { code: 'EADDRNOTAVAIL' });
});

test('the other side of a Unix socket is known', async (t) => {
  const path = join(tmpdir(), `sockets-${process.pid}.sock`);
  t.teardown(() => rmSync(path, { force: true }));
  const server = createServer().listen(path);
  await once(server, 'listening');
  const client = connect(path);
  const [connection] = (await once(server, 'connection')) as [Socket & { _handle: { fd: number } }];
  t.deepEqual(kernelSockets.peerCredentials(connection._handle.fd), {
    pid: process.pid,
    uid: process.getuid?.() ?? -1,
    gid: process.getgid?.() ?? -1,
  });
  client.destroy();
  connection.destroy();
  server.close();
});

test('the listener of an abstract socket is known, and an absent one is undefined', async (t) => {
  const name = `gantry/test/${process.pid}`;
  t.is(kernelSockets.abstractListener(name), undefined);
  const server = createServer().listen(`\0${name}`);
  await once(server, 'listening');
  t.is(kernelSockets.abstractListener(name)?.pid, process.pid);
  server.close();
});
