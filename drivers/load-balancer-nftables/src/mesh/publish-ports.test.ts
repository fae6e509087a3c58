import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDriver, until } from '@gantry/conformance';
import type { BalancedPort, LoadBalancerDriver, Sandbox } from '@gantry/core/contracts';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import { kernelSockets } from '@gantry/lib-linux/sockets';
import netns from '@gantry/sandbox-netns';
import test, { type ExecutionContext } from 'ava';
import driver from '../index.js';

const run = promisify(execFile);

// A host of the test process's own, with a neighbour: they go with the process.
kernelNamespaces.leaveNetwork();
const directory = mkdtempSync(join(tmpdir(), 'gantry-mesh-'));
const outside = join(directory, 'outside');
const backends = join(directory, 'backends');
for (const path of [outside, backends]) kernelNamespaces.createNetwork(path);
test.after.always(() => {
  for (const path of [outside, backends]) kernelNamespaces.removeNetwork(path);
  rmSync(directory, { recursive: true });
});

/** Connects two namespaces by a veth pair, each with its addresses. */
function link(name: string, one: string | undefined, ones: string[], other: string, others: string[]): void {
  const namespaceFd = kernelNamespaces.open(other);
  kernelNetlink.use(one, (socket) => socket.addLink({ kind: 'veth', name, peer: { name, namespaceFd } }));
  for (const [path, addresses] of [
    [one, ones],
    [other, others],
  ] as const) {
    kernelNetlink.use(path, (socket) => {
      for (const each of ['lo', name]) socket.setLink(each, { up: true });
      for (const address of addresses) socket.addAddress(name, `${address}/24`);
    });
  }
}

const host = '10.99.3.1';
const [first, second] = ['10.9.1.1', '10.9.1.2'];
link('up0', undefined, [host], outside, ['10.99.3.2']);

/** Sends its address to every client. */
async function serveTcp(t: ExecutionContext, address: string): Promise<void> {
  const { fd } = kernelSockets.listenTcp({ address, port: 80, namespace: backends });
  const server = createServer((socket) => socket.on('error', () => undefined).on('data', () => socket.write(address)));
  server.listen({ fd });
  await once(server, 'listening');
  t.teardown(() => server.close());
}

function serveUdp(t: ExecutionContext, address: string): void {
  const { fd } = kernelSockets.bindUdp({ address, port: 53, namespace: backends });
  const socket = createSocket('udp4');
  socket.on('message', (_, client) => socket.send(address, client.port, client.address));
  socket.bind({ fd });
  t.teardown(() => socket.close());
}

/** A client that holds its connection. */
async function open(t: ExecutionContext, address: string, port: number) {
  const socket = connect(port, address);
  await once(socket, 'connect');
  t.teardown(() => socket.destroy());
  return async (): Promise<string> => {
    socket.write('?');
    return String((await once(socket, 'data'))[0]);
  };
}

const askFrom = async (path: string, address: string, port: number): Promise<string> => {
  const script = `(echo '?'; sleep 0.2) | busybox nc -w 2 ${address} ${port}`;
  return (await run('nsenter', [`--net=${path}`, 'sh', '-c', script]).catch(() => ({ stdout: '' }))).stdout;
};

async function start(t: ExecutionContext): Promise<{ driver: LoadBalancerDriver; mesh: Sandbox }> {
  const sandboxes = await openDriver(netns);
  const opened = await openDriver(driver);
  const mesh = await sandboxes.driver.create('mesh');
  link('eth0', mesh.path, ['10.9.1.200'], backends, [first, second]);
  t.teardown(async () => {
    await opened.driver.publish(undefined, []);
    await sandboxes.driver.remove('mesh');
    await until('the link is gone', () => kernelNetlink.use(backends, (socket) => socket.link('eth0') === undefined));
    await opened.release();
    await sandboxes.release();
  });
  return { driver: opened.driver, mesh };
}

const tcp = (port: number, ...to: string[]): BalancedPort => ({ protocol: 'tcp', port, targetPort: 80, backends: to });
const udp = (port: number, ...to: string[]): BalancedPort => ({ protocol: 'udp', port, targetPort: 53, backends: to });

const hostRules = async (): Promise<string> =>
  (await run('nft', ['list', 'ruleset'])).stdout + (await run('ip', ['-o', 'link'])).stdout;

test.serial(
  'a TCP port answers at every address of the host, and open connections stay with their backend',
  async (t) => {
    const { driver, mesh } = await start(t);
    await serveTcp(t, first);
    await serveTcp(t, second);
    t.deepEqual(await driver.publish(mesh, [tcp(8001, first)]), []);
    const [atLoopback, atAddress] = [await open(t, '127.0.0.1', 8001), await open(t, host, 8001)];
    t.deepEqual([await atLoopback(), await atAddress()], [first, first]);
    t.is(await askFrom(outside, host, 8001), first);
    t.is(await askFrom(mesh.path, host, 8001), '', 'what is on the network is no way to the host');
    await driver.publish(mesh, [tcp(8001, second)]);
    t.deepEqual([await atLoopback(), await atAddress()], [first, first], 'open ones stay');
    t.is(await askFrom(outside, host, 8001), second, 'new ones go elsewhere');
    await driver.publish(mesh, [tcp(8001)]);
    await t.throwsAsync(open(t, '127.0.0.1', 8001), { code: 'ECONNREFUSED' }, 'without backends it refuses');
  },
);

test.serial('connections are spread over all backends', async (t) => {
  const { driver, mesh } = await start(t);
  await serveTcp(t, first);
  await serveTcp(t, second);
  await driver.publish(mesh, [tcp(8001, first, second)]);
  const answers = await Promise.all(Array.from({ length: 40 }, async () => (await open(t, host, 8001))()));
  t.deepEqual([...new Set(answers)].sort(), [first, second]);
});

test.serial('a UDP flow whose backend is gone gets another one', async (t) => {
  const { driver, mesh } = await start(t);
  serveUdp(t, first);
  serveUdp(t, second);
  const socket = createSocket('udp4');
  t.teardown(() => socket.close());
  const ask = async (): Promise<string> => {
    const answer = once(socket, 'message');
    socket.send('?', 8002, host);
    return String((await answer)[0]);
  };
  await driver.publish(mesh, [udp(8002, first), tcp(8003)]);
  t.is(await ask(), first);
  await driver.publish(mesh, [udp(8002, first, second), tcp(8003)]);
  t.is(await ask(), first, 'its backend is there');
  await driver.publish(mesh, [udp(8002, second), tcp(8003)]);
  t.is(await ask(), second);
});

test.serial('packets of SCTP reach a backend', async (t) => {
  const { driver, mesh } = await start(t);
  const arrived = await capture(second, 132);
  await driver.publish(mesh, [{ protocol: 'sctp', port: 8004, targetPort: 9000, backends: [second] }]);
  await sendInit(8004);
  t.is((await arrived()).readUInt16BE(20 + 2), 9000, 'the port of the backend');
});

test.serial('a port that another program has bound is named, and published once it is free', async (t) => {
  const { driver, mesh } = await start(t);
  await serveTcp(t, first);
  const other = createServer().listen(8005, '0.0.0.0');
  await once(other, 'listening');
  const ports = [tcp(8005, first), tcp(8006, first)];
  t.deepEqual(await driver.publish(mesh, ports), [ports[0]]);
  t.is(await (await open(t, host, 8006))(), first, 'the others are published');
  other.close();
  await once(other, 'close');
  t.deepEqual(await driver.publish(mesh, ports), []);
  t.is(await (await open(t, host, 8005))(), first);
  const taken = createServer().listen(8005, '0.0.0.0');
  t.like((await once(taken, 'error'))[0], { code: 'EADDRINUSE' });
});

test.serial('nothing is left of ports that are not published any more, nor of a killed daemon', async (t) => {
  const { driver, mesh } = await start(t);
  const before = await hostRules();
  await driver.publish(mesh, [tcp(8001, first), udp(8002, first)]);
  t.not(await hostRules(), before);
  await driver.publish(undefined, []);
  t.is(await hostRules(), before);
  await driver.publish(mesh, [tcp(8001, first)]);
  const next = await openDriver((await import('../index.js')).default);
  t.is(await hostRules(), before, 'the next daemon removes what it finds');
  await next.release();
});

/** Waits for the first packet of a protocol at an address of the backends that arrives from now on. */
async function capture(address: string, protocol: number): Promise<() => Promise<Buffer>> {
  const program = `import socket
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, ${protocol})
s.bind(('${address}', 0)); s.settimeout(20); print('ready', flush=True); print(s.recv(2000).hex(), flush=True)`;
  const child = execFile('nsenter', [`--net=${backends}`, 'python3', '-c', program]);
  let output = '';
  child.stdout?.on('data', (chunk: string) => {
    output += chunk;
  });
  await until('the capture has begun', () => output.startsWith('ready'));
  const closed = once(child, 'close');
  return async () => {
    await closed;
    return Buffer.from(output.split('\n')[1] ?? '', 'hex');
  };
}

/** Sends the first packet of an association to the host (RFC 9260, 3.3.2). */
async function sendInit(port: number): Promise<void> {
  const packet = Buffer.alloc(32);
  packet.writeUInt16BE(40_000, 0);
  packet.writeUInt16BE(port, 2);
  packet.set([1, 0, 0, 20], 12);
  packet.writeUInt32BE(1, 16);
  packet.writeUInt32BE(65_536, 20);
  packet.set([0, 1, 0, 1], 24);
  packet.writeUInt32LE(crc32c(packet), 8);
  const program = `import socket
socket.socket(socket.AF_INET, socket.SOCK_RAW, 132).sendto(bytes.fromhex('${packet.toString('hex')}'), ('${host}', 0))`;
  await run('nsenter', [`--net=${outside}`, 'python3', '-c', program]);
}

function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

test.serial('a UDP client of a virtual address leaves a backend that is removed', async (t) => {
  const { driver, mesh } = await start(t);
  for (const address of [first, second]) serveUdp(t, address);
  const { fd } = kernelSockets.bindUdp({ address: '10.9.1.200', port: 4000, namespace: mesh.path });
  const client = createSocket('udp4').bind({ fd });
  t.teardown(() => client.close());
  const ask = async (): Promise<string> => {
    client.send('?', 53, '10.9.1.100');
    return String((await once(client, 'message', { signal: AbortSignal.timeout(5000) }))[0]);
  };
  await driver.balance(mesh, [{ address: '10.9.1.100', backends: [first] }]);
  t.is(await ask(), first);
  await driver.balance(mesh, [{ address: '10.9.1.100', backends: [first, second] }]);
  t.is(await ask(), first, 'the flow stays while its backend does');
  await driver.balance(mesh, [{ address: '10.9.1.100', backends: [second] }]);
  t.is(await ask(), second);
  await driver.balance(mesh, []);
});
