import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Opened, openDriver, rejects, until } from '@gantry/conformance';
import type { NetworkDriver, NetworkPeer, NetworkSpec } from '@gantry/core/contracts';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import netns from '@gantry/sandbox-netns';
import test, { type ExecutionContext } from 'ava';
import driver from './index.js';

const run = promisify(execFile);

/** Runs a program in a namespace. */
const inside = async (path: string, ...command: string[]): Promise<string> =>
  (await run('nsenter', [`--net=${path}`, ...command])).stdout;

/** Underlay addresses of this host and of another one. */
const here = '10.99.1.1';
const there = '10.99.1.2';

kernelNamespaces.leaveNetwork();
const directory = mkdtempSync(join(tmpdir(), 'gantry-overlay-'));
const otherHost = join(directory, 'other-host');
kernelNamespaces.createNetwork(otherHost);
connectHosts();
test.after.always(() => {
  kernelNamespaces.removeNetwork(otherHost);
  rmSync(directory, { recursive: true });
});

function connectHosts(): void {
  const namespaceFd = kernelNamespaces.open(otherHost);
  kernelNetlink.use(undefined, (socket) => {
    socket.addLink({ kind: 'veth', name: 'up0', peer: { name: 'up0', namespaceFd } });
  });
  for (const [namespace, address] of [
    [undefined, here],
    [otherHost, there],
  ] as const) {
    kernelNetlink.use(namespace, (socket) => {
      socket.setLink('lo', { up: true });
      socket.setLink('up0', { up: true });
      socket.addAddress('up0', `${address}/24`);
    });
  }
}

/** An endpoint on the other host that knows the way to `own`: it is its host's tunnel itself. */
function addPeer(id: number, own: NetworkPeer): NetworkPeer {
  const name = `vx${id}`;
  kernelNetlink.use(otherHost, (socket) => {
    const macAddress = '02:42:0a:64:00:c8';
    socket.addLink({ kind: 'vxlan', name, id, port: 4789, local: there, learning: false, mtu: 1450, macAddress });
    socket.addAddress(name, `10.100.${id % 250}.200/24`);
    socket.setLink(name, { up: true });
    const link = socket.link(name)?.index ?? name;
    socket.addNeighbour({ link, address: own.address, macAddress: own.macAddress });
    socket.addNeighbour({ link, table: 'bridge', address: here, macAddress: own.macAddress });
  });
  return { address: `10.100.${id % 250}.200`, macAddress: '02:42:0a:64:00:c8', node: there };
}

const namespacesOf = (opened: Opened<NetworkDriver>): readonly string[] => {
  const networks = join(opened.dirs.state, 'networks');
  return readdirSync(networks).map((name) => join(networks, name));
};

let count = 0;

/** A driver with one network and one container on it. */
async function start(t: ExecutionContext, wishes: Partial<NetworkSpec> = {}, config: object = {}) {
  const number = ++count;
  const id = 5000 + number;
  const sandboxes = await openDriver(netns);
  const opened: Opened<NetworkDriver> = await openDriver(driver, { config: { checkSeconds: 3600, ...config } });
  const subnet = `10.100.${id % 250}`;
  const spec: NetworkSpec = {
    id: `network${number}`,
    name: `net${number}`,
    options: {},
    internal: false,
    ipv6: false,
    pools: [{ subnet: `${subnet}.0/24`, gateway: `${subnet}.1/24` }],
    tunnel: { id, port: 4789, address: here },
    ...wishes,
  };
  await opened.driver.createNetwork(spec);
  const sandbox = await sandboxes.driver.create('box');
  const request = {
    networkId: spec.id,
    endpointId: `endpoint${number}`,
    sandbox,
    ipv4: `${subnet}.5/24`,
    interfaceName: 'eth0',
    defaultRoute: false,
    ports: [],
  };
  const joined = await opened.driver.join(request);
  t.teardown(async () => {
    await opened.driver.leave(spec.id, request.endpointId);
    await opened.driver.removeNetwork(spec.id);
    await opened.release();
    await sandboxes.driver.remove('box');
    await sandboxes.release();
  });
  const own: NetworkPeer = { address: `${subnet}.5`, macAddress: joined.macAddress, node: here };
  const setPeers = async (peers: readonly NetworkPeer[], revision: number): Promise<void> =>
    opened.driver.peers?.(spec.id, peers, revision);
  const answers = (address: string): Promise<boolean> =>
    inside(sandbox.path, 'busybox', 'ping', '-c', '1', '-W', '1', address).then(
      () => true,
      () => false,
    );
  // A busy machine takes longer than a second for an answer.
  const untilAnswers = (address: string) => until(`${address} answers`, () => answers(address));
  return { opened, spec, request, sandbox, own, setPeers, answers, untilAnswers, id };
}

test('a container reaches the endpoint of another node exactly while it is in the set of peers', async (t) => {
  const { answers, id, own, setPeers, untilAnswers } = await start(t);
  const peer = addPeer(id, own);
  t.false(await answers(peer.address));
  await setPeers([own, peer], 1);
  await t.notThrowsAsync(untilAnswers(peer.address));
  await setPeers([own], 2);
  t.false(await answers(peer.address));
});

test('an endpoint that moves to another node is reached there', async (t) => {
  const { answers, id, own, setPeers, untilAnswers } = await start(t);
  const peer = addPeer(id, own);
  await setPeers([{ ...peer, node: '10.99.1.77' }], 1);
  t.false(await answers(peer.address));
  await setPeers([peer], 2);
  await t.notThrowsAsync(untilAnswers(peer.address));
  await setPeers([], 1);
  await t.notThrowsAsync(untilAnswers(peer.address), 'an older set is ignored');
});

test('entries and tunnels that something else deletes or adds are repaired', async (t) => {
  const { answers, id, opened, own, setPeers, spec } = await start(t, {}, { checkSeconds: 0.1 });
  const peer = addPeer(id, own);
  await setPeers([peer], 1);
  const [path = ''] = namespacesOf(opened);
  t.true(path.endsWith(spec.id));
  await inside(path, 'bridge', 'fdb', 'del', peer.macAddress, 'dev', 'vxlan0', 'dst', there);
  await inside(path, 'ip', 'neigh', 'add', `10.100.${id % 250}.9`, 'lladdr', own.macAddress, 'dev', 'vxlan0');
  await until('the entries are repaired', async () => {
    const shown = await inside(path, 'ip', 'neigh', 'show', 'dev', 'vxlan0');
    return !shown.includes('.9 ') && (await inside(path, 'bridge', 'fdb', 'show')).includes(`dst ${there}`);
  });
  await inside(path, 'ip', 'link', 'del', 'vxlan0');
  await until('the tunnel is restored', () => answers(peer.address));
  t.pass();
});

test('the MTU leaves room for the tunnel, or is the one of the option', async (t) => {
  const usual = await start(t);
  t.regex(await inside(usual.sandbox.path, 'ip', 'link', 'show', 'eth0'), / mtu 1450 /);
  const peer = addPeer(usual.id, usual.own);
  await usual.setPeers([peer], 1);
  await inside(usual.sandbox.path, 'busybox', 'ping', '-c', '1', '-W', '1', '-s', '1422', peer.address);
  const small = await start(t, { options: { 'com.docker.network.driver.mtu': '1300' } });
  t.regex(await inside(small.sandbox.path, 'ip', 'link', 'show', 'eth0'), / mtu 1300 /);
});

test('subnets of one network reach each other', async (t) => {
  const pools = [
    { subnet: '10.101.1.0/24', gateway: '10.101.1.1/24' },
    { subnet: '10.101.2.0/24', gateway: '10.101.2.1/24' },
  ];
  const { opened, spec, request, untilAnswers } = await start(t, { pools, id: 'twosubnets' });
  await opened.driver.leave(spec.id, request.endpointId);
  await opened.driver.join({ ...request, ipv4: '10.101.1.5/24' });
  const sandboxes = await openDriver(netns);
  const sandbox = await sandboxes.driver.create('other');
  const other = { ...request, endpointId: 'otherendpoint', sandbox, ipv4: '10.101.2.5/24' };
  await opened.driver.join(other);
  await t.notThrowsAsync(untilAnswers('10.101.2.5'));
  await opened.driver.leave(spec.id, other.endpointId);
  await sandboxes.driver.remove('other');
  await sandboxes.release();
});

test('a killed daemon leaves containers connected, and its successor takes their links over', async (t) => {
  const { answers, id, opened, own, request, setPeers, spec, untilAnswers } = await start(t);
  const peer = addPeer(id, own);
  await setPeers([peer], 1);
  const again = await opened.reopen({ crash: true });
  await t.notThrowsAsync(untilAnswers(peer.address));
  const joined = { macAddress: own.macAddress, ports: [] };
  await again.driver.restore([spec], [{ request, joined }]);
  await t.notThrowsAsync(untilAnswers(peer.address), 'nothing changes until the peers are known');
  await again.driver.peers?.(spec.id, [], 1);
  t.false(await answers(peer.address));
  await again.driver.restore([], []);
  t.deepEqual(namespacesOf(again), []);
  await again.release();
});

test('a number of another program is a conflict, and nothing is left', async (t) => {
  kernelNetlink.use(undefined, (socket) =>
    socket.addLink({ kind: 'vxlan', name: 'theirs', id: 777, port: 4789, local: here }),
  );
  const opened = await openDriver(driver, { config: { checkSeconds: 3600 } });
  const spec = { id: 'taken', name: 'taken', options: {}, internal: false, ipv6: false, pools: [] };
  const tunnel = { id: 777, port: 4789, address: here };
  await rejects(t, opened.driver.createNetwork({ ...spec, tunnel }), 'conflict', /uses VXLAN 777 on port 4789/);
  t.deepEqual(namespacesOf(opened), []);
  kernelNetlink.use(undefined, (socket) => socket.deleteLink('theirs'));
  await opened.release();
});
