import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JoinRequest } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import test, { type ExecutionContext } from 'ava';
import { PluginClient } from '../client/plugin-client.js';
import { RemoteIpam } from '../ipam/remote-ipam.js';
import { FakePlugin, type Method } from '../testing/fake-plugin.js';
import { RemoteNetworks } from './remote-networks.js';

const pools = [{ subnet: '10.9.0.0/24', gateway: '10.9.0.1/24' }];
const spec = { id: 'n', name: 'lan', options: { mode: 'l2' }, internal: false, ipv6: false, pools };
const request: JoinRequest = {
  networkId: 'n',
  endpointId: 'e',
  sandbox: { id: 'box', path: '/run/netns/box' },
  ipv4: '10.9.0.2/24',
  interfaceName: 'eth0',
  defaultRoute: true,
  ports: [{ protocol: 'tcp', containerPort: 80, hostPort: 8080 }],
};

async function start(t: ExecutionContext, methods: Record<string, Method> = {}, file?: string) {
  const done: string[] = [];
  const plugin = await FakePlugin.start({
    'NetworkDriver.GetCapabilities': () => ({ Scope: 'global' }),
    'NetworkDriver.CreateNetwork': () => ({}),
    'NetworkDriver.DeleteNetwork': () => ({}),
    'NetworkDriver.CreateEndpoint': () => ({ Interface: { MacAddress: '02:00:00:00:00:01' } }),
    'NetworkDriver.Join': () => ({ InterfaceName: { SrcName: 'v1', DstPrefix: 'net' }, Gateway: '10.9.0.1' }),
    'NetworkDriver.ProgramExternalConnectivity': () => ({}),
    'NetworkDriver.RevokeExternalConnectivity': () => ({}),
    'NetworkDriver.EndpointOperInfo': () => ({
      Value: {
        'com.docker.network.portmap': [{ Proto: 6, Port: 80, HostIP: '0.0.0.0', HostPort: 8080 }, { Proto: 9 }],
      },
    }),
    'NetworkDriver.Leave': () => ({}),
    'NetworkDriver.DeleteEndpoint': () => ({}),
    ...methods,
  });
  t.teardown(() => plugin.stop());
  const networks = new RemoteNetworks(
    new PluginClient('p', plugin, { connectTimeout: 0 }),
    silentLogger,
    {
      place: ({ macAddress }, { prefix, sourceName }) => done.push(`place ${sourceName} ${prefix} ${macAddress}`),
      changeDefaultRoute: ({ defaultRoute }) => done.push(`route ${defaultRoute}`),
      restore: (_, { sourceName }) => done.push(`restore ${sourceName}`),
    },
    file,
  );
  return {
    plugin,
    networks,
    done,
    called: () => plugin.calls.map(({ method }) => method.replace('NetworkDriver.', '')),
  };
}

test('a network, an endpoint and its ports are created and deleted in order', async (t) => {
  const { called, done, networks, plugin } = await start(t);
  await networks.loadCapabilities();
  t.is(networks.capabilities.scope, 'global');
  await networks.createNetwork(spec);
  t.like(plugin.asked('NetworkDriver.CreateNetwork')[0], {
    NetworkID: 'n',
    Options: { 'com.docker.network.generic': { mode: 'l2' }, 'com.docker.network.enable_ipv6': false },
    IPv4Data: [{ AddressSpace: 'LocalDefault', Pool: '10.9.0.0/24', Gateway: '10.9.0.1/24', AuxAddresses: {} }],
    IPv6Data: [],
  });
  const joined = await networks.join(request);
  t.deepEqual(joined, {
    macAddress: '02:00:00:00:00:01',
    gateway: '10.9.0.1',
    ports: [{ protocol: 'tcp', containerPort: 80, hostIp: '0.0.0.0', hostPort: 8080 }],
  });
  t.like(plugin.asked('NetworkDriver.Join')[0], { SandboxKey: '/run/netns/box' });
  await t.throwsAsync(networks.removeNetwork('n'), { message: /has active endpoints/ });
  t.deepEqual(await networks.join({ ...request, defaultRoute: false, ports: [] }), { ...joined, ports: [] });
  await networks.leave('n', 'e');
  await networks.removeNetwork('n');
  await networks.removeNetwork('n');
  t.deepEqual(done, ['place v1 net 02:00:00:00:00:01', 'route false', 'restore v1']);
  t.deepEqual(called(), [
    'GetCapabilities',
    'CreateNetwork',
    'CreateEndpoint',
    'Join',
    'ProgramExternalConnectivity',
    'EndpointOperInfo',
    'RevokeExternalConnectivity',
    'Leave',
    'DeleteEndpoint',
    'DeleteNetwork',
  ]);
});

const node = (id: string, isSelf = false) => ({ id, address: `192.0.2.${id}`, isSelf });

const discovery = {
  'NetworkDriver.DiscoverNew': () => ({}),
  'NetworkDriver.DiscoverDelete': () => ({}),
};

const announced = ({ calls }: FakePlugin): readonly string[] =>
  calls.flatMap(({ body, method }) => {
    const { Address } = (body.DiscoveryData ?? {}) as { readonly Address: string };
    return method.startsWith('NetworkDriver.Discover')
      ? [`${method.slice('NetworkDriver.Discover'.length)} ${Address}`]
      : [];
  });

test('nodes are announced as they come and go, the own one first, and all when the plugin has restarted', async (t) => {
  const { networks, plugin } = await start(t, discovery);
  await networks.nodes([node('2'), node('1', true)]);
  t.deepEqual(announced(plugin), [], 'its connectivity is not known yet');
  await networks.loadCapabilities();
  t.true(networks.capabilities.nodes);
  t.deepEqual(plugin.asked('NetworkDriver.DiscoverNew'), [
    { DiscoveryType: 1, DiscoveryData: { Address: '192.0.2.1', BindAddress: '192.0.2.1', Self: true } },
    { DiscoveryType: 1, DiscoveryData: { Address: '192.0.2.2', BindAddress: '', Self: false } },
  ]);
  await networks.nodes([node('1', true), node('2')]);
  await networks.nodes([node('1', true), node('3')]);
  await networks.nodes([node('1', true), { ...node('3'), address: '192.0.2.33' }]);
  t.deepEqual(announced(plugin).slice(2), ['Delete 192.0.2.2', 'New 192.0.2.3', 'Delete 192.0.2.3', 'New 192.0.2.33']);
  await networks.loadCapabilities();
  t.deepEqual(announced(plugin).slice(6), ['New 192.0.2.1', 'New 192.0.2.33']);
  await networks.nodes([]);
  t.deepEqual(announced(plugin).slice(8), ['Delete 192.0.2.1', 'Delete 192.0.2.33']);
});

test('the connectivity decides whether nodes are announced, and refusals do not', async (t) => {
  const local = await start(t, {
    ...discovery,
    'NetworkDriver.GetCapabilities': () => ({ Scope: 'global', ConnectivityScope: 'local' }),
  });
  await local.networks.loadCapabilities();
  await local.networks.nodes([node('1', true)]);
  t.false(local.networks.capabilities.nodes);
  t.deepEqual(announced(local.plugin), []);
  const refusing = await start(t, {
    'NetworkDriver.GetCapabilities': () => ({ Scope: 'local', ConnectivityScope: 'global' }),
  });
  await refusing.networks.loadCapabilities();
  t.false(refusing.networks.capabilities.allocates);
  await refusing.networks.nodes([node('1', true), node('2')]);
  t.deepEqual(announced(refusing.plugin), ['New 192.0.2.1', 'New 192.0.2.2']);
});

test('all nodes are announced to a plugin that did not answer when it does', async (t) => {
  const { networks, plugin } = await start(t, discovery);
  await networks.loadCapabilities();
  await networks.nodes([node('1', true)]);
  await plugin.stop();
  await t.throwsAsync(networks.nodes([node('1', true), node('2')]), { message: /plugin "p" is unreachable/ });
  await mkdir(path.dirname(plugin.socketPath));
  t.teardown(() => rm(path.dirname(plugin.socketPath), { recursive: true }));
  const next = await FakePlugin.start(plugin.methods, plugin.socketPath);
  t.teardown(() => next.stop());
  await networks.nodes([node('1', true), node('2')]);
  t.deepEqual(announced(next), ['New 192.0.2.1', 'New 192.0.2.2']);
});

test('after a restart of the engine it is announced which nodes have left meanwhile', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-nodes-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'nodes', 'p.json');
  const before = await start(t, discovery, file);
  await before.networks.loadCapabilities();
  await before.networks.nodes([node('1', true), node('2'), node('3')]);
  const after = await start(t, discovery, file);
  await after.networks.loadCapabilities();
  t.deepEqual(announced(after.plugin), [], 'the nodes are not known yet');
  await after.networks.nodes([node('1', true), node('3')]);
  t.deepEqual(announced(after.plugin), ['Delete 192.0.2.2', 'New 192.0.2.1', 'New 192.0.2.3']);
  await writeFile(file, '{');
  const corrupted = await start(t, discovery, file);
  await corrupted.networks.loadCapabilities();
  await corrupted.networks.nodes([node('1', true)]);
  t.deepEqual(announced(corrupted.plugin), ['New 192.0.2.1']);
});

test('a network of the swarm is allocated with options of the plugin, and freed', async (t) => {
  let answer: unknown = { Options: { number: '7' } };
  const { networks, plugin } = await start(t, {
    'NetworkDriver.AllocateNetwork': () => answer,
    'NetworkDriver.FreeNetwork': () => ({}),
  });
  await networks.loadCapabilities();
  t.true(networks.capabilities.allocates);
  t.deepEqual(await networks.allocateNetwork(spec), { number: '7' });
  t.deepEqual(plugin.asked('NetworkDriver.AllocateNetwork'), [
    {
      NetworkID: 'n',
      Options: { mode: 'l2' },
      IPv4Data: [{ AddressSpace: '', Pool: '10.9.0.0/24', Gateway: '10.9.0.1/24', AuxAddresses: {} }],
      IPv6Data: [],
    },
  ]);
  answer = {};
  t.deepEqual(await networks.allocateNetwork(spec), { mode: 'l2' }, 'without an answer those of the client');
  answer = { Options: { number: 7 } };
  await t.throwsAsync(networks.allocateNetwork(spec), {
    message: /AllocateNetwork: the plugin answered Options.number 7/,
  });
  answer = { Err: 'no numbers left' };
  await t.throwsAsync(networks.allocateNetwork(spec), { message: 'NetworkDriver.AllocateNetwork: no numbers left' });
  await networks.freeNetwork('n');
  t.deepEqual(plugin.asked('NetworkDriver.FreeNetwork'), [{ NetworkID: 'n' }]);
});

test('a failed join deletes the endpoint', async (t) => {
  const { called, networks } = await start(t, {
    'NetworkDriver.ProgramExternalConnectivity': () => ({ Err: 'port is taken' }),
  });
  await networks.createNetwork(spec);
  await t.throwsAsync(networks.join(request), { message: /port is taken/ });
  t.deepEqual(called().slice(-2), ['Leave', 'DeleteEndpoint']);
  await networks.removeNetwork('n');
});

for (const answer of [
  { InterfaceName: { SrcName: '../../x' } },
  { InterfaceName: { SrcName: 'v', DstPrefix: 'a b' } },
  { Gateway: 'nowhere' },
  { StaticRoutes: [{ Destination: 'all' }] },
]) {
  test(`an invalid answer to Join is refused: ${JSON.stringify(answer)}`, async (t) => {
    const { networks } = await start(t, { 'NetworkDriver.Join': () => answer });
    await networks.createNetwork(spec);
    await t.throwsAsync(networks.join(request), { message: /NetworkDriver.Join: the plugin answered/ });
  });
}

test('after a restart the plugin gets its networks again, and may refuse known ones', async (t) => {
  const { called, networks } = await start(t, { 'NetworkDriver.CreateNetwork': () => ({ Err: 'it exists' }) });
  const joined = { macAddress: '02:00:00:00:00:01', ports: [] };
  await networks.restore([spec], [{ request, joined }]);
  t.deepEqual(await networks.join(request), joined);
  await networks.leave('n', 'e');
  await networks.removeNetwork('n');
  t.deepEqual(called(), ['CreateNetwork', 'RevokeExternalConnectivity', 'Leave', 'DeleteEndpoint', 'DeleteNetwork']);
});

test('networks made before the plugin joined are used, left and removed', async (t) => {
  const { called, networks } = await start(t);
  await networks.leave('n', 'old');
  t.is((await networks.join(request)).gateway, '10.9.0.1');
  await networks.leave('n', 'older');
  await networks.leave('n', 'e');
  await networks.removeNetwork('n');
  await networks.removeNetwork('other');
  t.deepEqual(
    called().filter((method) => /Leave|Delete|Create/.test(method)),
    ['Leave', 'DeleteEndpoint', 'CreateEndpoint']
      .concat(['Leave', 'DeleteEndpoint'], ['Leave', 'DeleteEndpoint'])
      .concat(['DeleteNetwork', 'DeleteNetwork']),
  );
  await t.throwsAsync(networks.join(request), { message: 'network n not found' });
});

test('pools and addresses are requested from an IPAM plugin', async (t) => {
  const plugin = await FakePlugin.start({
    'IpamDriver.GetDefaultAddressSpaces': () => ({ LocalDefaultAddressSpace: 'here' }),
    'IpamDriver.RequestPool': ({ Pool }) => ({ PoolID: 'one', Pool: Pool || '10.8.0.0/16' }),
    'IpamDriver.RequestAddress': ({ Address }) =>
      Address === '10.8.0.9' ? { Err: 'address already in use' } : { Address: '10.8.0.2/16' },
    'IpamDriver.ReleaseAddress': () => ({}),
    'IpamDriver.ReleasePool': () => ({}),
  });
  t.teardown(() => plugin.stop());
  const ipam = new RemoteIpam(new PluginClient('p', plugin));
  t.deepEqual(await ipam.requestPool({ ipv6: false }), { id: 'one', subnet: '10.8.0.0/16' });
  t.is(await ipam.requestAddress('one', { gateway: true }), '10.8.0.2/16');
  await t.throwsAsync(ipam.requestAddress('one', { preferred: '10.8.0.9' }), { message: 'Address already in use' });
  await ipam.releaseAddress('one', '10.8.0.2');
  await ipam.releasePool('one');
  t.is(ipam.uses.length, 0);
  t.deepEqual(plugin.asked('IpamDriver.RequestPool'), [
    { AddressSpace: 'here', Pool: '', SubPool: '', Options: {}, V6: false },
  ]);
  t.deepEqual(plugin.asked('IpamDriver.RequestAddress')[0]?.Options, {
    RequestAddressType: 'com.docker.network.gateway',
  });
});
