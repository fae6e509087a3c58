import { closeSync, mkdtempSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { MNT_DETACH } from '../ffi/constants.js';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import { SystemCall } from '../system-calls/system-call.js';
import { kernelNetlink } from './kernel-netlink.js';
import { kernelSysctl } from './kernel-sysctl.js';
import type { NetlinkSocket } from './netlink.js';

const text = 'const char *';
const mount = new SystemCall<[string, string, string, number, null]>('mount', 'int', [text, text, text, 'ulong', text]);
const umount2 = new SystemCall<[string, number]>('umount2', 'int', [text, 'int']);

let count = 0;
/** A namespace with a connection to it. */
function stack(t: ExecutionContext): { readonly path: string; readonly socket: NetlinkSocket } {
  count += 1;
  const path = join(tmpdir(), `netlink-${process.pid}-${count}`);
  kernelNamespaces.createNetwork(path);
  const socket = kernelNetlink.open({ namespace: path });
  t.teardown(() => {
    socket.close();
    kernelNamespaces.removeNetwork(path);
  });
  return { path, socket };
}

/** sysfs shows the namespace of the thread that mounts it. */
function sysfs(path: string, file: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'sysfs-'));
  kernelNamespaces.runInNetwork(path, () => mount.call(directory, 'sysfs', directory, 'sysfs', 0, null));
  try {
    return readFileSync(join(directory, 'class/net', file), 'utf8').trim();
  } finally {
    umount2.call(directory, directory, MNT_DETACH);
    rmdirSync(directory);
  }
}

function index(socket: NetlinkSocket, name: string): number {
  return socket.link(name)?.index ?? -1;
}

test('a new namespace has loopback, down', (t) => {
  const { socket } = stack(t);
  t.deepEqual(
    socket.links().map(({ name, up, loopback }) => ({ name, up, loopback })),
    [{ name: 'lo', up: false, loopback: true }],
  );
  socket.setLink('lo', { up: true });
  t.true(socket.link('lo')?.up);
  t.deepEqual(
    socket.addresses('lo').map(({ address, scope }) => [address, scope]),
    [
      ['127.0.0.1/8', 'host'],
      ['::1/128', 'host'],
    ],
  );
});

test('the socket stays in its namespace', (t) => {
  const { socket } = stack(t);
  t.is(socket.links().length, 1);
  socket.addLink({ kind: 'bridge', name: 'only-here' });
  t.is(
    kernelNetlink.use(undefined, (host) => host.link('only-here')),
    undefined,
  );
});

test('a container is connected to a bridge', (t) => {
  const host = stack(t);
  const inside = stack(t);
  const namespaceFd = kernelNamespaces.open(inside.path);
  t.teardown(() => closeSync(namespaceFd));
  host.socket.addLink({ kind: 'bridge', name: 'br0', macAddress: '02:42:00:00:00:01', multicastSnooping: false });
  host.socket.addLink({
    kind: 'veth',
    name: 'veth0',
    mtu: 1400,
    master: 'br0',
    peer: { name: 'eth0', mtu: 1400, macAddress: '02:42:AC:11:00:02', namespaceFd },
  });
  const bridge = index(host.socket, 'br0');
  host.socket.batch((changes) => {
    changes.addAddress(bridge, '172.17.0.1/16');
    changes.setLink(bridge, { up: true });
    changes.setLink('veth0', { up: true });
  });
  const eth0 = index(inside.socket, 'eth0');
  inside.socket.batch((changes) => {
    changes.setLink(eth0, { up: true });
    changes.addAddress(eth0, '172.17.0.2/16');
    changes.addRoute({ destination: 'default', gateway: '172.17.0.1' });
  });

  const link = inside.socket.link('eth0');
  t.like(link, { kind: 'veth', mtu: 1400, macAddress: '02:42:ac:11:00:02', up: true, running: true });
  t.is(link?.parent, index(host.socket, 'veth0'));
  t.is(host.socket.link('veth0')?.master, bridge);
  const [address] = inside.socket.addresses(eth0);
  t.like(address, { address: '172.17.0.2/16', broadcast: '172.17.255.255', family: 'ipv4', scope: 'global' });
  const ipv4 = inside.socket.routes().filter(({ family }) => family === 'ipv4');
  t.deepEqual(
    ipv4.map(({ destination, gateway, link: oif }) => ({ destination, gateway, oif })),
    [
      { destination: 'default', gateway: '172.17.0.1', oif: eth0 },
      { destination: '172.17.0.0/16', gateway: undefined, oif: eth0 },
    ],
  );
  t.regex(kernelSysctl.read('net/ipv4/conf/eth0/forwarding', inside.path) ?? '', /^[01]$/);
});

test('a bridge takes its options when made and later', (t) => {
  const { path, socket } = stack(t);
  socket.addLink({ kind: 'bridge', name: 'br0', multicastSnooping: false, forwardDelay: 2, stp: true });
  const option = (name: string) => sysfs(path, `br0/bridge/${name}`);
  t.is(option('multicast_snooping'), '0');
  t.is(option('forward_delay'), '200');
  t.is(option('stp_state'), '1');
  socket.setBridge('br0', { ageingTime: 30, stp: false });
  t.is(option('ageing_time'), '3000');
  t.is(option('stp_state'), '0');
});

test('a port of a bridge takes its flags', (t) => {
  const { path, socket } = stack(t);
  socket.addLink({ kind: 'bridge', name: 'br0' });
  socket.addLink({ kind: 'veth', name: 'a', master: 'br0', peer: { name: 'b' } });
  socket.setBridgePort('a', { hairpin: true, isolated: true, learning: false, neighbourSuppress: true });
  const flag = (name: string) => sysfs(path, `a/brport/${name}`);
  t.is(flag('hairpin_mode'), '1');
  t.is(flag('isolated'), '1');
  t.is(flag('learning'), '0');
  t.is(flag('unicast_flood'), '1');
  socket.setLink('a', { master: null });
  t.is(socket.link('a')?.master, undefined);
  t.throws(() => socket.setBridgePort('a', { hairpin: true }), { message: /'a'/ });
});

test('links are renamed, moved, noted and deleted', (t) => {
  const { path, socket } = stack(t);
  const other = stack(t);
  socket.addLink({ kind: 'veth', name: 'a', peer: { name: 'b' } });
  socket.setLink('a', { name: 'c', macAddress: '02:00:00:00:00:09', mtu: 1280, alias: 'of container 1' });
  t.like(socket.link('c'), { macAddress: '02:00:00:00:00:09', mtu: 1280, alias: 'of container 1' });
  t.is(socket.link('a'), undefined);
  const fd = kernelNamespaces.open(other.path);
  socket.setLink('c', { namespaceFd: fd, name: 'd' });
  closeSync(fd);
  t.is(socket.link('c'), undefined);
  t.like(other.socket.link('d'), { mtu: 1280, up: false });
  other.socket.deleteLink('d');
  t.is(socket.link('b'), undefined, 'a peer goes too');
  t.true(kernelNamespaces.isNamespace(path));
});

test('a link can be made with the index it is to have', (t) => {
  const { socket } = stack(t);
  socket.addLink({ kind: 'veth', name: 'a', index: 41, peer: { name: 'b', index: 42 } });
  t.is(socket.link(41)?.name, 'a');
  t.is(socket.link(42)?.name, 'b');
});

test('kinds of links', (t) => {
  const { socket } = stack(t);
  socket.addLink({ kind: 'bridge', name: 'br0' });
  t.notThrows(() => socket.addLink({ kind: 'vxlan', name: 'vx0', id: 42, learning: false, proxy: true, l2miss: true }));
  t.is(socket.link('vx0')?.kind, 'vxlan');
  for (const link of [
    { kind: 'macvlan', name: 'mv0', parent: 'br0', mode: 'bridge' },
    { kind: 'ipvlan', name: 'iv0', parent: 'vx0', mode: 'l2' },
    { kind: 'vlan', name: 'vl0', parent: 'br0', id: 7 },
    { kind: 'dummy', name: 'du0' },
  ] as const) {
    try {
      socket.addLink(link);
      t.is(socket.link(link.name)?.kind, link.kind);
    } catch (error) {
      // Not every kernel is built with all of them.
      t.like(error, {
        code: 'ENOTSUP',
        message: `ENOTSUP: operation not supported on socket, netlink '${link.name}': Unknown device type`,
      });
    }
  }
});

test('failures name the thing and the kernel’s reason', (t) => {
  const { socket } = stack(t);
  socket.addLink({ kind: 'bridge', name: 'br0' });
  socket.addAddress('br0', '10.0.0.1/8');
  t.throws(() => socket.addLink({ kind: 'bridge', name: 'br0' }), { code: 'EEXIST', message: /br0/ });
  t.throws(() => socket.addAddress('br0', '10.0.0.1/8'), { code: 'EEXIST', message: /br0 10\.0\.0\.1\/8/ });
  t.throws(() => socket.deleteAddress('br0', '10.9.9.9/8'), { code: 'EADDRNOTAVAIL' });
  t.throws(() => socket.deleteLink('absent'), { code: 'ENODEV', message: /absent/ });
  t.throws(() => socket.setLink('absent', { up: true }), { code: 'ENODEV' });
  t.throws(() => socket.addRoute({ destination: 'default', gateway: '9.9.9.9' }), {
    code: 'ENETUNREACH',
    message: /Nexthop has invalid gateway/,
  });
  t.throws(() => socket.deleteRoute({ destination: '1.0.0.0/8' }), { code: 'ESRCH' });
  t.is(socket.link('absent'), undefined);
  t.throws(() => socket.addAddress('br0', 'rubbish'), { instanceOf: TypeError, message: /rubbish/ });
});

test('routes are added, replaced and deleted, in both families', (t) => {
  const { socket } = stack(t);
  socket.addLink({ kind: 'veth', name: 'a', peer: { name: 'b' } });
  for (const name of ['a', 'b']) socket.setLink(name, { up: true });
  socket.addAddress('a', '10.1.0.1/24');
  socket.addAddress('a', { address: 'fd00::1/64', noDad: true });
  t.false(socket.addresses('a').some(({ address, tentative }) => address.startsWith('fd00') && tentative));
  socket.addRoute({ destination: '10.2.0.0/16', gateway: '10.1.0.9' });
  socket.addRoute({ destination: '10.3.0.0/16', link: 'a', source: '10.1.0.1', metric: 5 });
  socket.addRoute({ destination: 'default', gateway: 'fd00::9', table: 1000 });
  t.throws(() => socket.addRoute({ destination: '10.2.0.0/16', gateway: '10.1.0.8' }), { code: 'EEXIST' });
  socket.replaceRoute({ destination: '10.2.0.0/16', gateway: '10.1.0.8' });
  const find = (destination: string) => socket.routes().find((route) => route.destination === destination);
  t.like(find('10.2.0.0/16'), { gateway: '10.1.0.8', type: 'unicast', table: 254 });
  t.like(find('10.3.0.0/16'), { source: '10.1.0.1', metric: 5, gateway: undefined });
  t.like(socket.routes({ table: 1000 })[0], { destination: 'default', gateway: 'fd00::9', family: 'ipv6' });
  t.deepEqual(socket.routes({ table: 99 }), []);
  t.true(socket.routes({ table: 'all' }).some(({ type }) => type === 'local'));
  socket.deleteRoute({ destination: '10.2.0.0/16' });
  socket.deleteRoute({ destination: '10.3.0.0/16', link: 'a', metric: 5 });
  socket.deleteRoute({ destination: 'default', gateway: 'fd00::9', table: 1000 });
  t.is(find('10.2.0.0/16'), undefined);
  t.is(find('10.3.0.0/16'), undefined);
});

test('rules by marks are added, listed and deleted', (t) => {
  const { socket } = stack(t);
  const rule = { priority: 100, mark: { value: 0xca00_0200, mask: 0xffff_ff00 }, table: 1000 };
  socket.addRule(rule);
  t.deepEqual(socket.rules(), [rule]);
  t.throws(() => socket.addRule(rule), { code: 'EEXIST' });
  socket.deleteRule(rule);
  t.deepEqual(socket.rules(), []);
  t.throws(() => socket.deleteRule(rule), { code: 'ENOENT' });
});

test('neighbours are added, listed and deleted, in both tables', (t) => {
  const { socket } = stack(t);
  socket.addLink({ kind: 'veth', name: 'a', peer: { name: 'b' } });
  socket.setLink('a', { up: true });
  const entry = { link: 'a', address: '10.1.0.9', macAddress: '02:42:0a:01:00:09' };
  socket.addNeighbour(entry);
  socket.addNeighbour({ ...entry, macAddress: '02:42:0a:01:00:0a' });
  t.deepEqual(
    socket.neighbours({ link: 'a' }).map(({ address, macAddress, permanent }) => [address, macAddress, permanent]),
    [['10.1.0.9', '02:42:0a:01:00:0a', true]],
  );
  socket.deleteNeighbour(entry);
  t.deepEqual(socket.neighbours({ link: 'a' }), []);

  socket.addLink({ kind: 'vxlan', name: 'vx0', id: 7, learning: false });
  const all = { link: 'vx0', macAddress: '00:00:00:00:00:00', table: 'bridge' } as const;
  socket.addNeighbour({ ...all, address: '192.0.2.1' });
  socket.addNeighbour({ ...all, address: '192.0.2.2' });
  const behind = () => socket.neighbours({ link: 'vx0', table: 'bridge' }).map(({ address }) => address);
  t.deepEqual(behind(), ['192.0.2.1', '192.0.2.2']);
  socket.deleteNeighbour({ ...all, address: '192.0.2.1' });
  t.deepEqual(behind(), ['192.0.2.2']);
});

test('statistics count what went by', (t) => {
  const { socket } = stack(t);
  socket.addLink({ kind: 'veth', name: 'a', peer: { name: 'b' } });
  for (const name of ['a', 'b']) socket.setLink(name, { up: true });
  socket.addAddress('a', '10.1.0.1/24');
  const before = socket.link('a')?.statistics.txPackets ?? 0;
  t.true(before >= 0);
  t.is(Object.keys(socket.link('a')?.statistics ?? {}).length, 8);
});

test('a batch goes on after a failure and throws the first', (t) => {
  const { socket } = stack(t);
  socket.addLink({ kind: 'bridge', name: 'br0' });
  const bridge = index(socket, 'br0');
  t.throws(
    () =>
      socket.batch((changes) => {
        changes.addAddress(bridge, '10.0.0.1/8');
        changes.addAddress(9999, '10.0.0.2/8');
        changes.addAddress(bridge, '10.0.0.3/8');
        changes.deleteLink(9998);
      }),
    { code: 'ENODEV', message: /9999 10\.0\.0\.2/ },
  );
  t.is(socket.addresses('br0').length, 2);
});

test('a batch and a dump of any size are whole', (t) => {
  const { socket } = stack(t);
  socket.addLink({ kind: 'bridge', name: 'br0' });
  socket.setLink('br0', { up: true });
  const bridge = index(socket, 'br0');
  socket.batch((changes) => {
    for (let high = 0; high < 4; high += 1) {
      for (let low = 0; low < 250; low += 1) changes.addAddress(bridge, `10.0.${high}.${low}/32`);
    }
  });
  t.is(socket.addresses('br0').filter(({ family }) => family === 'ipv4').length, 1000);
});

test('links are deleted together, also when some are gone already', async (t) => {
  const { socket } = stack(t);
  const names = Array.from({ length: 100 }, (_, number) => `v${number}`);
  socket.addLink({ kind: 'bridge', name: 'br0' });
  socket.addLink({ kind: 'bridge', name: 'other' });
  for (const name of names) socket.addLink({ kind: 'veth', name, peer: { name: `${name}p` } });
  socket.deleteLink('v50');
  await t.throwsAsync(
    socket.apply((changes) => changes.deleteLinks(names)),
    { code: 'ENODEV' },
  );
  socket.batch((changes) => changes.deleteLinks([]));
  socket.batch((changes) => changes.deleteLinks(['br0']));
  t.deepEqual(
    socket.links().map(({ name }) => name),
    ['lo', 'other'],
  );
});

test('changes on another thread and calls on this one do not disturb each other', async (t) => {
  const { socket } = stack(t);
  for (let round = 0; round < 5; round += 1) {
    socket.addLink({ kind: 'veth', name: 'a', peer: { name: 'b' } });
    const deleting = socket.apply((changes) => changes.deleteLink('a'));
    const failing = socket.apply((changes) => changes.deleteLink('absent'));
    t.is(socket.link('lo')?.index, 1);
    t.true(socket.links().length >= 1);
    await deleting;
    await t.throwsAsync(failing, { code: 'ENODEV' });
    t.is(socket.link('a'), undefined);
  }
});

test('a socket that is closed says so', async (t) => {
  const { socket } = stack(t);
  socket.addLink({ kind: 'veth', name: 'a', peer: { name: 'b' } });
  const deleting = socket.apply((changes) => changes.deleteLink('a'));
  socket.close();
  socket.close();
  await deleting;
  t.throws(() => socket.links(), { code: 'EBADF', message: /closed/ });
});

test('settings are those of the namespace', (t) => {
  const { path } = stack(t);
  const other = stack(t);
  // A new namespace begins with what the host has, so both are set.
  kernelSysctl.write('net.ipv4.ip_forward', 0, other.path);
  kernelSysctl.write('net.ipv4.ip_forward', 1, path);
  t.is(kernelSysctl.read('net.ipv4.ip_forward', path), '1');
  t.is(kernelSysctl.read('net.ipv4.ip_forward', other.path), '0');
  other.socket.addLink({ kind: 'bridge', name: 'br.7' });
  kernelSysctl.write('net/ipv4/conf/br.7/route_localnet', 1, other.path);
  t.is(kernelSysctl.read('net/ipv4/conf/br.7/route_localnet', other.path), '1');
  t.is(kernelSysctl.read('net.ipv4.no_such_thing', path), undefined);
  t.throws(() => kernelSysctl.write('net.ipv4.no_such_thing', 1, path), { code: 'ENOENT' });
  t.throws(() => kernelSysctl.write('net.ipv4.ip_default_ttl', 'rubbish', path), { code: 'EINVAL' });
  t.throws(() => kernelSysctl.read('net/../../../etc/passwd'), { instanceOf: TypeError });
});

test.serial('nothing stays open', (t) => {
  const { path } = stack(t);
  const before = readdirSync('/proc/self/fd').length;
  for (let round = 0; round < 3; round += 1) kernelNetlink.use(path, (socket) => socket.links());
  t.is(readdirSync('/proc/self/fd').length, before);
});
