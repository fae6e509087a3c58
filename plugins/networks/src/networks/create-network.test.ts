import { unavailable } from '@gantry/core/errors';
import test from 'ava';
import { attachment, networkHarness, networkRequest, sandboxOf, small } from '../testing/harness.js';

test('the predefined networks are created at the first start, once', async (t) => {
  const harness = await networkHarness(t);
  const names = () => [...harness.store.networks()].map(({ name, driver, predefined }) => [name, driver, predefined]);
  const expected = [
    ['bridge', 'bridge', true],
    ['host', 'host', true],
    ['none', 'none', true],
  ];
  t.deepEqual(names(), expected);
  await harness.reopen();
  t.deepEqual(names().sort(), expected);
  t.deepEqual(harness.events, []);
});

test('a network is created with a pool, a gateway and an event', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(networkRequest('front', { labels: { a: '1' } }));
  t.regex(id, /^[0-9a-f]{64}$/);
  const record = harness.store.resolve('front');
  t.like(record, { id, driver: 'bridge', labels: { a: '1' }, predefined: false });
  t.is(record.pools.length, 1);
  t.regex(record.pools[0]?.gateway ?? '', /\.1\/16$/);
  t.like(harness.bridge.networks.get(id), { name: 'front', pools: [{ subnet: record.pools[0]?.subnet }] });
  t.deepEqual(harness.eventSummaries(), ['create front']);
});

test('requested subnet, range, gateway, auxiliary addresses and IPv6 are stored and applied', async (t) => {
  const harness = await networkHarness(t);
  await harness.create(
    networkRequest('front', {
      ipv6: true,
      pools: [
        {
          subnet: '10.1.0.0/24',
          range: '10.1.0.128/25',
          gateway: '10.1.0.9',
          auxiliary: { dev: '10.1.0.128' },
          ipv6: false,
        },
        { subnet: 'fd00:1::/64', auxiliary: {}, ipv6: true },
      ],
    }),
  );
  const { id, pools } = harness.store.resolve('front');
  t.like(pools, [
    { subnet: '10.1.0.0/24', gateway: '10.1.0.9/24', requested: true },
    { subnet: 'fd00:1::/64', gateway: 'fd00:1::1/64' },
  ]);
  await harness.reopen();
  const { endpoints } = await harness.sandboxes.open(sandboxOf('c1', attachment(id)));
  t.like(endpoints, [{ ipv4Address: '10.1.0.129', ipv4PrefixLength: 24, ipv6PrefixLength: 64 }]);
});

test('an IPv6 subnet without IPv6 is reserved and not used', async (t) => {
  const harness = await networkHarness(t);
  const pools = [{ subnet: 'fd00:1::/64', auxiliary: {}, ipv6: true }];
  const id = await harness.create(networkRequest('front', { pools }));
  t.deepEqual(
    harness.store.resolve(id).pools.map(({ ipv6 }) => ipv6),
    [false, true],
  );
  t.is(harness.bridge.networks.get(id)?.pools.length, 1);
  const { endpoints } = await harness.sandboxes.open(sandboxOf('c1', attachment(id)));
  t.is(endpoints[0]?.ipv6Address, '');
  await t.throwsAsync(harness.create(networkRequest('back', { pools, ipv6: true })), { message: /overlaps/ });
  const wish = sandboxOf('c2', attachment(id, { ipv6Address: 'fd00:1::7' }));
  t.is((await harness.sandboxes.open(wish)).endpoints[0]?.ipv6Address, '');
});

for (const [what, request, expected] of [
  [
    'a pre-defined name',
    networkRequest('host'),
    { kind: 'forbidden', message: 'operation is not permitted on predefined host network' },
  ],
  ['no name', networkRequest(' '), { kind: 'invalid-argument' }],
  [
    'an unknown driver',
    networkRequest('x', { driver: 'overlay' }),
    { kind: 'not-found', message: 'plugin "overlay" not found' },
  ],
  [
    'a driver of one network',
    networkRequest('x', { driver: 'host' }),
    { kind: 'forbidden', message: 'only one instance of "host" network is allowed' },
  ],
  [
    'a bad option',
    networkRequest('x', { options: { bad: '1' } }),
    { kind: 'invalid-argument', message: 'bad: "1" is not understood' },
  ],
  [
    'a bad subnet',
    networkRequest('x', { pools: [{ subnet: 'x/24', auxiliary: {}, ipv6: false }] }),
    { kind: 'invalid-argument' },
  ],
  [
    'a taken subnet',
    networkRequest('x', { pools: [{ subnet: '10.0.0.128/25', auxiliary: {}, ipv6: false }] }),
    { kind: 'forbidden', message: 'Pool overlaps with other one on this address space' },
  ],
] as const) {
  test(`${what} is refused, and nothing is created`, async (t) => {
    const harness = await networkHarness(t);
    t.like(await t.throwsAsync(harness.create(request)), expected);
    t.is([...harness.store.networks()].length, 3);
    t.is(harness.bridge.networks.size, 1);
    t.deepEqual(harness.events, []);
  });
}

test('a second network of a name is a warning, and a conflict with CheckDuplicate', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(networkRequest('front'));
  const second = await harness.createNetwork.create(networkRequest('front'));
  t.is(second.warning, `Network with name front (id : ${id}) already exists`);
  t.like(await t.throwsAsync(harness.create(networkRequest('front', { checkDuplicate: true }))), {
    kind: 'conflict',
    message: 'network with name front already exists',
  });
  t.like(
    t.throws(() => harness.networks.get('front')),
    { kind: 'invalid-argument', message: 'network front is ambiguous (2 matches found based on name)' },
  );
  t.is(harness.networks.get(second.id).name, 'front');
});

test('when the driver fails to create a network, its pool is released', async (t) => {
  const harness = await networkHarness(t);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    harness.bridge.failures.set('createNetwork', unavailable('no bridge'));
    await t.throwsAsync(harness.create(small('front', 1)), { message: 'no bridge' });
  }
  t.is([...harness.store.networks()].length, 3);
  await harness.create(small('front', 1));
});

test('when the gateway is outside the subnet, the pool is released', async (t) => {
  const harness = await networkHarness(t);
  const pool = { subnet: '10.0.1.0/29', auxiliary: {}, ipv6: false };
  const wrong = networkRequest('front', { pools: [{ ...pool, gateway: '10.9.9.9' }] });
  t.like(await t.throwsAsync(harness.create(wrong)), { kind: 'invalid-argument' });
  const late = networkRequest('front', { pools: [{ ...pool, auxiliary: { dev: '10.9.9.9' } }] });
  t.like(await t.throwsAsync(harness.create(late)), { kind: 'invalid-argument' });
  await harness.create(small('front', 1));
});

test('a network is removed with its pool', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(small('front', 1));
  await harness.removeNetwork.remove(id.slice(0, 12));
  t.is(harness.bridge.networks.size, 1);
  t.deepEqual(harness.eventSummaries(), ['create front', 'destroy front']);
  t.like(await t.throwsAsync(harness.removeNetwork.remove('front')), {
    kind: 'not-found',
    message: 'network front not found',
  });
  await harness.create(small('front', 1));
});

test('a network with a running container is not removed, nor is a pre-defined one', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(small('front', 1));
  harness.networks.addContainers({ isRunning: () => true });
  await harness.sandboxes.open(sandboxOf('c1', attachment(id)));
  t.like(await t.throwsAsync(harness.removeNetwork.remove('front')), {
    kind: 'forbidden',
    message: `error while removing network: network front id ${id} has active endpoints`,
  });
  await harness.sandboxes.close('c1');
  await harness.removeNetwork.remove('front');
  t.like(await t.throwsAsync(harness.removeNetwork.remove('bridge')), {
    kind: 'forbidden',
    message: 'bridge is a pre-defined network and cannot be removed',
  });
});

test('the bridge that a swarm leaves behind is removed like a network of clients', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(small('docker_gwbridge', 1));
  const network = harness.store.network(id);
  if (network === undefined) return t.fail('there is no network');
  // As the engine makes it for containers whose own networks have no way outside.
  await harness.store.change({ networks: [{ ...network, predefined: true }] });
  await harness.removeNetwork.remove('docker_gwbridge');
  t.is(harness.store.network(id), undefined);
});

test('a removal waits for an exited container that is about to leave', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(small('front', 1));
  await harness.sandboxes.open(sandboxOf('c1', attachment(id))); // no package reports it as running
  const removing = harness.removeNetwork.remove('front');
  await harness.sandboxes.close('c1');
  await removing;
  t.is(harness.bridge.networks.size, 1);
});

test('when the driver fails to remove a network, it stays, and the removal can be retried', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(small('front', 1));
  harness.bridge.failures.set('removeNetwork', unavailable('busy'));
  await t.throwsAsync(harness.removeNetwork.remove('front'), { message: 'busy' });
  t.is(harness.networks.get('front').id, id);
  t.is((await harness.sandboxes.open(sandboxOf('c1', attachment(id)))).endpoints.length, 1);
  await harness.sandboxes.close('c1');
  await harness.removeNetwork.remove('front');
  t.deepEqual(harness.eventSummaries().at(-1), 'destroy front');
});

test('networks are found by id, name and unique prefix', async (t) => {
  const harness = await networkHarness(t);
  const id = await harness.create(networkRequest('front'));
  for (const reference of [id, 'front', id.slice(0, 12)]) t.is(harness.networks.get(reference).id, id);
  t.like(harness.networks.get('front'), { predefined: false, userDefined: true, hostStack: false });
  t.like(harness.networks.get('host'), { predefined: true, userDefined: false, hostStack: true });
  t.throws(() => harness.networks.get('gone'), { message: 'network gone not found' });
});
