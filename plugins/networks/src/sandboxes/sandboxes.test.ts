import { unavailable } from '@gantry/core/errors';
import test from 'ava';
import { attachment, networkHarness, networkRequest, sandboxOf, small } from '../testing/harness.js';

test('a sandbox gets an endpoint on each network, the first routable one with the default route', async (t) => {
  const harness = await networkHarness(t);
  const inner = await harness.create({ ...small('inner', 1), internal: true });
  const front = await harness.create(small('front', 2));
  const ports = [{ protocol: 'tcp', containerPort: 80, hostPort: 8080 }] as const;
  const opened = await harness.sandboxes.open(
    sandboxOf('c1', attachment(inner), attachment(front, { ports, aliases: ['web'], ipv4Address: '10.0.2.5' })),
  );
  t.is(opened.path, (await harness.sandboxDriver.get('c1'))?.path);
  t.is(opened.resolvConf, 'nameserver 127.0.0.11\noptions ndots:0\n');
  t.like(opened.endpoints, [
    { networkName: 'inner', interfaceName: 'eth0', ipv4Address: '10.0.1.2', ipv4PrefixLength: 29, ports: [] },
    { networkName: 'front', interfaceName: 'eth1', ipv4Address: '10.0.2.5', aliases: ['web'] },
  ]);
  t.deepEqual(opened.endpoints[1]?.ports, [{ protocol: 'tcp', containerPort: 80, hostIp: '0.0.0.0', hostPort: 8080 }]);
  t.deepEqual(
    [...harness.bridge.endpoints.values()].map(({ defaultRoute }) => defaultRoute),
    [false, true],
  );
  t.deepEqual(harness.endpoints.endpointsOf('c1'), opened.endpoints);
  t.deepEqual(harness.eventSummaries().slice(2), ['connect inner c1', 'connect front c1']);
  t.deepEqual(harness.events.at(-1)?.actor.attributes, { container: 'c1', name: 'front', type: 'bridge' });
});

test('closing releases everything and publishes it once', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(small('front', 1));
  await harness.sandboxes.open(sandboxOf('c1', attachment(id)));
  await harness.sandboxes.close('c1');
  await harness.sandboxes.close('c1');
  t.deepEqual(harness.endpoints.endpointsOf('c1'), []);
  t.is(harness.bridge.endpoints.size, 0);
  t.is(await harness.sandboxDriver.get('c1'), undefined);
  t.deepEqual(harness.eventSummaries(), ['create front', 'connect front c1', 'disconnect front c1']);
  t.is(await harness.room(id), 5);
});

test("a container on the host's stack has no sandbox, no addresses and the host's name servers", async (t) => {
  const harness = await networkHarness(t);
  const { id } = harness.networks.get('host');
  const opened = await harness.sandboxes.open(sandboxOf('c1', attachment(id)));
  t.is(opened.path, undefined);
  t.is(opened.resolvConf, 'nameserver 127.0.0.1\n');
  t.like(opened.endpoints, [{ ipv4Address: '', networkName: 'host' }]);
  t.deepEqual(await harness.sandboxDriver.list(), []);
  await harness.sandboxes.close('c1');
  t.is(harness.host.endpoints.size, 0);
});

test('the default bridge has no embedded resolver', async (t) => {
  const harness = await networkHarness(t);
  const opened = await harness.sandboxes.open(sandboxOf('c1', attachment(harness.networks.get('bridge').id)));
  t.is(opened.resolvConf, 'nameserver 127.0.0.1\n');
});

test('wherever opening fails, addresses, endpoints and sandbox are rolled back', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  const back = await harness.create(small('back', 2));
  const request = sandboxOf('c1', attachment(front), attachment(back));
  const failed = unavailable('it failed here');
  const refused = async (what: string, message = /it failed here/): Promise<void> => {
    await t.throwsAsync(harness.sandboxes.open(request), { message }, what);
    t.deepEqual(harness.endpoints.endpointsOf('c1'), [], what);
    t.is(harness.bridge.endpoints.size, 0, what);
    t.deepEqual(await harness.sandboxDriver.list(), [], what);
    t.deepEqual([await harness.room(front), await harness.room(back)], [5, 5], what);
  };
  harness.failures.set('create', failed);
  await refused('the sandbox cannot be made');
  harness.bridge.failures.set('join', failed);
  await refused('the first endpoint cannot join');
  harness.bridge.joinsLeft = 1;
  harness.bridge.failures.set('join', failed);
  await refused('the second endpoint cannot join');
  harness.failures.set('openResolver', failed);
  await refused('there is no resolver');
  for (const change of [1, 2]) {
    const write = harness.store.change.bind(harness.store);
    let count = 0;
    harness.store.change = (...asked) => {
      count += 1;
      if (count !== change) return write(...asked);
      harness.store.change = write;
      return Promise.reject(failed);
    };
    await refused(`state change ${change} fails`);
  }
  t.deepEqual(
    harness.eventSummaries().filter((line) => line.endsWith(' c1')),
    [],
  );
});

test('an address that is in use or outside the subnet is refused, and the others are released', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  const back = await harness.create(small('back', 2));
  await harness.sandboxes.open(sandboxOf('c1', attachment(back, { ipv4Address: '10.0.2.4' })));
  for (const [ipv4Address, expected] of [
    ['10.0.2.4', { kind: 'forbidden', message: 'Address already in use' }],
    ['10.9.9.9', { kind: 'invalid-argument' }],
  ] as const) {
    const request = sandboxOf('c2', attachment(front), attachment(back, { ipv4Address }));
    t.like(await t.throwsAsync(harness.sandboxes.open(request)), expected);
  }
  t.is(await harness.room(front), 5);
});

test('an aborted opening is rolled back', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(small('front', 1));
  const signal = AbortSignal.abort(new Error('gone'));
  await t.throwsAsync(harness.sandboxes.open(sandboxOf('c1', attachment(id)), { signal }), { message: 'gone' });
  t.is(await harness.room(id), 5);
});

test('a removed network is not found, and nothing is allocated', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(small('front', 1));
  const request = sandboxOf('c1', attachment(id), attachment('f'.repeat(64)));
  t.like(await t.throwsAsync(harness.sandboxes.open(request)), { kind: 'not-found' });
  t.is(await harness.room(id), 5);
});

test('opening again replaces a stale sandbox, even one that could not be removed', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(small('front', 1));
  await harness.sandboxes.open(sandboxOf('c1', attachment(id)));
  await harness.sandboxes.open(sandboxOf('c1', attachment(id)));
  t.is(harness.endpoints.endpointsOf('c1').length, 1);
  harness.failures.set('remove', unavailable('busy'));
  await harness.sandboxes.close('c1');
  t.deepEqual(await harness.sandboxDriver.list(), ['c1']);
  await harness.sandboxes.open(sandboxOf('c1', attachment(id)));
  await harness.sandboxes.close('c1');
  t.deepEqual(await harness.sandboxDriver.list(), []);
  t.is(await harness.room(id), 5);
});

test('closing succeeds when a driver fails to remove an endpoint', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  const back = await harness.create(small('back', 2));
  await harness.sandboxes.open(sandboxOf('c1', attachment(front), attachment(back)));
  harness.bridge.failures.set('leave', unavailable('stuck'));
  await harness.sandboxes.close('c1');
  t.deepEqual(harness.endpoints.endpointsOf('c1'), []);
  t.deepEqual([await harness.room(front), await harness.room(back)], [5, 5]);
});

test('a running container is connected to one more network and disconnected', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  const back = await harness.create(small('back', 2));
  await harness.sandboxes.open(sandboxOf('c1', attachment(front)));
  const endpoint = await harness.endpoints.connect('c1', attachment(back, { ipv4Address: '10.0.2.6' }));
  t.like(endpoint, { networkName: 'back', interfaceName: 'eth1', ipv4Address: '10.0.2.6' });
  t.like(await t.throwsAsync(harness.endpoints.connect('c1', attachment(back))), {
    kind: 'forbidden',
    message: 'endpoint with name name-c1 already exists in network back',
  });
  await harness.endpoints.disconnect('c1', front);
  t.like(await t.throwsAsync(harness.endpoints.disconnect('c1', front)), {
    kind: 'internal',
    message: 'container c1 is not connected to network front',
  });
  t.like(await harness.endpoints.connect('c1', attachment(front)), { interfaceName: 'eth0' });
  t.deepEqual(harness.eventSummaries().slice(2), [
    'connect front c1',
    'connect back c1',
    'disconnect front c1',
    'connect front c1',
  ]);
});

test('a routable network gets the default route, also when it is joined later', async (t) => {
  const harness = await networkHarness(t);
  const inner = await harness.create({ ...small('inner', 1), internal: true });
  const front = await harness.create(small('front', 2));
  await harness.sandboxes.open(sandboxOf('c1', attachment(inner)));
  await harness.endpoints.connect('c1', attachment(front));
  t.deepEqual(
    [...harness.bridge.endpoints.values()].map(({ defaultRoute }) => defaultRoute),
    [false, true],
  );
});

test('the default route follows the gateway priority, then the names of the networks', async (t) => {
  const harness = await networkHarness(t);
  const networks = new Map<string, string>();
  for (const [index, name] of ['alpha', 'beta', 'gamma'].entries()) {
    networks.set(name, await harness.create(small(name, index + 1)));
  }
  const to = (name: string, gatewayPriority = 0) => attachment(networks.get(name) ?? '', { gatewayPriority });
  const router = () =>
    harness.endpoints
      .endpointsOf('c1')
      .filter(({ id }) => harness.bridge.endpoints.get(id)?.defaultRoute)
      .map(({ networkName }) => networkName);
  await harness.sandboxes.open(sandboxOf('c1', to('beta')));
  const connected = await harness.endpoints.connect('c1', to('gamma', 5));
  t.is(connected.networkName, 'gamma');
  t.deepEqual(router(), ['gamma']);
  await harness.endpoints.connect('c1', to('alpha', -1));
  t.deepEqual(router(), ['gamma']);
  await harness.endpoints.disconnect('c1', networks.get('gamma') ?? '');
  t.deepEqual(router(), ['beta']);
  await harness.endpoints.disconnect('c1', networks.get('alpha') ?? '');
  await harness.endpoints.connect('c1', to('alpha'));
  t.deepEqual(router(), ['alpha']);
  await harness.sandboxes.open(sandboxOf('c1', to('beta'), to('alpha'), to('gamma', 1)));
  t.deepEqual(router(), ['gamma']);
});

test('each family has its default route; a failure to move one is reported to the client that connects', async (t) => {
  const harness = await networkHarness(t);
  const four = await harness.create(small('four', 1));
  const pools = [{ subnet: 'fd00:7::/64', auxiliary: {}, ipv6: true }];
  const six = await harness.create(networkRequest('six', { ipv4: false, ipv6: true, pools }));
  const both = await harness.create(
    networkRequest('both', {
      ipv6: true,
      pools: [...(small('both', 2).pools ?? []), { subnet: 'fd00:8::/64', auxiliary: {}, ipv6: true }],
    }),
  );
  const routes = () =>
    harness.endpoints.endpointsOf('c1').map(({ id, networkName }) => {
      return `${networkName} ${harness.bridge.endpoints.get(id)?.defaultRoute}`;
    });
  await harness.sandboxes.open(sandboxOf('c1', attachment(four), attachment(six)));
  t.deepEqual(routes(), ['four true', 'six true']);
  await harness.endpoints.connect('c1', attachment(both));
  t.deepEqual(routes(), ['four false', 'six false', 'both true']);
  await harness.endpoints.disconnect('c1', four);
  await harness.endpoints.connect('c1', attachment(four, { gatewayPriority: 9 }));
  t.deepEqual(routes().sort(), ['both ipv6', 'four true', 'six false']);
  const [addressOfSix] = harness.endpoints.endpointsOf('c1').filter(({ networkName }) => networkName === 'six');
  t.like(addressOfSix, { ipv4Address: '', ipv6PrefixLength: 64 });
  await t.throwsAsync(harness.sandboxes.open(sandboxOf('c2', attachment(six, { ipv4Address: '10.0.0.9' }))), {
    message: /network six has no IPv4 subnet for address 10\.0\.0\.9/,
  });
});

test('a default route that cannot be moved fails the connect, and nothing is left of it', async (t) => {
  const harness = await networkHarness(t);
  const [beta, alpha] = [await harness.create(small('beta', 1)), await harness.create(small('alpha', 2))];
  await harness.sandboxes.open(sandboxOf('c1', attachment(beta)));
  harness.bridge.joinsLeft = 1;
  harness.bridge.failures.set('join', unavailable('no such route'));
  await t.throwsAsync(harness.endpoints.connect('c1', attachment(alpha)), { message: 'no such route' });
  t.deepEqual(
    harness.endpoints.endpointsOf('c1').map(({ networkName }) => networkName),
    ['beta'],
  );
  t.deepEqual(
    [...harness.bridge.endpoints.values()].map(({ defaultRoute }) => defaultRoute),
    [true],
  );
});

test('when a container leaves the network with the default route, the next takes over route and ports', async (t) => {
  const harness = await networkHarness(t);
  const inner = await harness.create({ ...small('inner', 1), internal: true });
  const front = await harness.create(small('front', 2));
  const back = await harness.create(small('back', 3));
  const ports = [{ protocol: 'tcp', containerPort: 80, hostPort: 8080 }] as const;
  await harness.sandboxes.open(sandboxOf('c1', attachment(inner, { ports }), attachment(front), attachment(back)));
  const facts = () =>
    harness.endpoints.endpointsOf('c1').map(({ id, networkName, ports: [port] }) => {
      const route = harness.bridge.endpoints.get(id)?.defaultRoute ? 'route' : '-';
      return `${networkName} ${route} ${port?.hostPort ?? '-'}`;
    });
  t.deepEqual(facts(), ['inner - -', 'front - 8080', 'back route -']);
  await harness.endpoints.disconnect('c1', front);
  t.deepEqual(facts(), ['inner - -', 'back route 8080']);
  await harness.endpoints.connect('c1', attachment(front, { ports }));
  t.deepEqual(facts().sort(), ['back route 8080', 'front - -', 'inner - -']);
  await harness.endpoints.disconnect('c1', back);
  await harness.endpoints.disconnect('c1', front);
  await harness.endpoints.connect('c1', attachment(back, { ports }));
  t.deepEqual(facts(), ['inner - -', 'back route 8080']);
});

test('an endpoint lists the endpoints linked to it, also those that joined before it', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  await harness.sandboxes.open(sandboxOf('db', attachment(front)));
  await harness.sandboxes.open(sandboxOf('web', attachment(front, { links: { store: 'db' } })));
  await harness.sandboxes.open(sandboxOf('db', attachment(front)));
  const [web] = harness.endpoints.endpointsOf('web');
  const [db] = harness.endpoints.endpointsOf('db');
  t.deepEqual(harness.bridge.endpoints.get(db?.id ?? '')?.linkedFrom, [web?.id]);
});

test('a failed connect releases its address', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  const back = await harness.create(small('back', 2));
  await harness.sandboxes.open(sandboxOf('c1', attachment(front)));
  harness.bridge.failures.set('join', unavailable('it failed here'));
  await t.throwsAsync(harness.endpoints.connect('c1', attachment(back)), { message: 'it failed here' });
  t.is(harness.endpoints.endpointsOf('c1').length, 1);
  t.is(await harness.room(back), 5);
});

test("a container without a sandbox of its own, and the host's network, cannot be connected", async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  const { id: host } = harness.networks.get('host');
  await harness.sandboxes.open(sandboxOf('c1', attachment(host)));
  t.like(await t.throwsAsync(harness.endpoints.connect('c1', attachment(front))), { kind: 'forbidden' });
  await harness.sandboxes.open(sandboxOf('c2', attachment(front)));
  t.like(await t.throwsAsync(harness.endpoints.connect('c2', attachment(host))), {
    kind: 'forbidden',
    message: 'container cannot be connected to host network',
  });
});

test('a container that left every network keeps its name for the next', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  await harness.sandboxes.open(sandboxOf('c1', attachment(front)));
  await harness.endpoints.disconnect('c1', front);
  await harness.endpoints.connect('c1', attachment(front));
  t.is(harness.store.endpointsOf('c1')[0]?.containerName, 'name-c1');
});

test('after a restart running containers keep their endpoints, and everything else is removed', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  const back = await harness.create(small('back', 2));
  const { id: host } = harness.networks.get('host');
  await harness.sandboxes.open(sandboxOf('live', attachment(front), attachment(back)));
  await harness.sandboxes.open(sandboxOf('dead', attachment(front)));
  await harness.sandboxes.open(sandboxOf('onhost', attachment(host)));
  await harness.sandboxDriver.create('stray');
  const before = harness.endpoints.endpointsOf('live');
  const [{ id: halfJoined = '' } = {}] = harness.endpoints.endpointsOf('dead');
  await harness.reopen();
  await harness.sandboxes.restore(['live', 'onhost']);
  t.deepEqual(harness.endpoints.endpointsOf('live'), before);
  t.deepEqual(harness.endpoints.endpointsOf('dead'), []);
  t.false(harness.bridge.endpoints.has(halfJoined));
  t.deepEqual(await harness.sandboxDriver.list(), ['live']);
  t.is(harness.bridge.restored?.endpoints.length, 2);
  t.is(harness.host.restored?.endpoints[0]?.request.sandbox.path, harness.sandboxDriver.host.path);
  // The address of the exited container is free, that of the running one is not.
  t.is(await harness.room(front), 4);
  t.deepEqual(await harness.ask('live', 'name-live'), ['10.0.1.2', '10.0.2.2']);
});

test('an endpoint that a crash left half joined is removed, its container keeps running', async (t) => {
  const harness = await networkHarness(t);
  const front = await harness.create(small('front', 1));
  const back = await harness.create(small('back', 2));
  await harness.sandboxes.open(sandboxOf('c1', attachment(front)));
  const { joined: _joined, ...half } = harness.store.endpointsOf('c1')[0] ?? (t.fail() as never);
  await harness.store.change({ endpoints: [{ ...half, id: 'e'.repeat(64), networkId: back }] });
  await harness.reopen();
  await harness.sandboxes.restore(['c1']);
  t.deepEqual(
    harness.endpoints.endpointsOf('c1').map(({ networkName }) => networkName),
    ['front'],
  );
});

test('a driver that fails to restore does not stop the others', async (t) => {
  const harness = await networkHarness(t);
  const { id: host } = harness.networks.get('host');
  await harness.sandboxes.open(sandboxOf('c1', attachment(host)));
  await harness.reopen();
  harness.bridge.failures.set('restore', unavailable('no netlink'));
  await harness.sandboxes.restore(['c1']);
  t.is(harness.host.restored?.endpoints.length, 1);
});

test('a network whose removal was recorded before a crash is not restored', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(networkRequest('front'));
  await harness.store.change({ removeNetworks: [id] }); // recorded, but the driver was not called
  await harness.reopen();
  await harness.sandboxes.restore([]);
  t.false(harness.bridge.networks.has(id));
});
