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

async function start(t: ExecutionContext, methods: Record<string, Method> = {}) {
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
  const networks = new RemoteNetworks(new PluginClient('p', plugin), silentLogger, {
    place: ({ macAddress }, { prefix, sourceName }) => done.push(`place ${sourceName} ${prefix} ${macAddress}`),
    changeDefaultRoute: ({ defaultRoute }) => done.push(`route ${defaultRoute}`),
    restore: (_, { sourceName }) => done.push(`restore ${sourceName}`),
  });
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
