import { driverSet, openDriver } from '@gantry/conformance';
import { IpamDrivers } from '@gantry/core/contracts';
import { ipam } from '@gantry/memory-drivers';
import test, { type ExecutionContext } from 'ava';
import type { NetworkRecord } from '../store/records.js';
import { AddressPools } from './address-pools.js';

const subnet = '10.7.0.0/29';

const network: NetworkRecord = {
  id: 'a'.repeat(64),
  name: 'front',
  createdAt: '2024-05-01T10:00:00Z',
  driver: 'bridge',
  options: {},
  labels: {},
  internal: false,
  ipv6: false,
  predefined: false,
  ipam: { driver: 'plugged', options: {} },
  pools: [{ subnet, gateway: '10.7.0.1/29', auxiliary: {}, ipv6: false, requested: true }],
};

/** Drivers among which `plugged` is found only when it is looked up, and only once it is up. */
async function withPlugin(t: ExecutionContext) {
  const { driver, release } = await openDriver(ipam);
  t.teardown(release);
  const drivers = driverSet(IpamDrivers, {});
  let isUp = false;
  drivers.addFinder(async (id) => {
    if (isUp && id === 'plugged' && !drivers.has(id)) drivers.add(id, driver);
  });
  return {
    pools: new AddressPools(drivers),
    bringUp: () => {
      isUp = true;
    },
  };
}

test('an IPAM driver that is not there yet is looked up for a new network', async (t) => {
  const { pools, bringUp } = await withPlugin(t);
  bringUp();
  const [pool] = await pools.reserve(network.id, network.ipam, [{ subnet, auxiliary: {}, ipv6: false }]);
  t.like(pool, { subnet, gateway: '10.7.0.1/29' });
});

test('pools whose driver was absent at the start are reserved once, when they are first used', async (t) => {
  const { pools, bringUp } = await withPlugin(t);
  await t.throwsAsync(pools.restore(network), { message: /plugged/ });
  await t.throwsAsync(pools.allocate(network, false, undefined), { message: /plugged/ });
  bringUp();
  const addresses = await Promise.all([1, 2].map(() => pools.allocate(network, false, undefined)));
  t.deepEqual(addresses.sort(), ['10.7.0.2/29', '10.7.0.3/29'], 'the gateway is not handed out');
});
