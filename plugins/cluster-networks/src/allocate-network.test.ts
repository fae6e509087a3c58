import { throws } from '@gantry/conformance';
import type { SwarmNetworkRequest } from '@gantry/networks/service';
import test from 'ava';
import { allocateNetwork } from './allocate-network.js';

const defaults = { defaultAddressPools: ['10.0.0.0/15', '10.8.0.0/16'], subnetSize: 16 };

const request = (more: Partial<SwarmNetworkRequest> = {}): SwarmNetworkRequest => ({
  name: 'web',
  driver: 'overlay',
  internal: false,
  attachable: false,
  ingress: false,
  ipam: { driver: 'default', options: {} },
  labels: {},
  options: {},
  pools: [],
  ...more,
});

const subnets = (network: ReturnType<typeof allocateNetwork>) => network.pools.map(({ subnet }) => subnet);

test('networks get the next free subnet of the pools of the swarm, and the next number', (t) => {
  const ingress = allocateNetwork(request({ ingress: true }), [], defaults);
  t.like(ingress, { vxlanId: 4096, pools: [{ subnet: '10.0.0.0/16', gateway: '10.0.0.1/16', requested: false }] });
  const one = allocateNetwork(request(), [ingress], defaults);
  t.is(one.vxlanId, 4097);
  t.deepEqual(subnets(one), ['10.1.0.0/16']);
  const two = allocateNetwork(request(), [ingress, one], defaults);
  t.deepEqual(subnets(two), ['10.8.0.0/16']);
  throws(t, () => allocateNetwork(request(), [ingress, one, two], defaults), 'unavailable');
  t.deepEqual(subnets(allocateNetwork(request(), [ingress, two], defaults)), ['10.1.0.0/16']);
});

test('subnets, gateways, ranges and numbers of the client are taken as they are', (t) => {
  const options = { 'com.docker.network.driver.overlay.vxlanid_list': '5000', other: 'kept' };
  const pools = [
    { subnet: '10.50.1.7/24', gateway: '10.50.1.9', auxiliary: {} },
    { subnet: '10.51.1.0/24', range: '10.51.1.128/25', auxiliary: { a: '10.51.1.200' } },
  ];
  const network = allocateNetwork(request({ options, pools }), [], defaults);
  t.is(network.vxlanId, 5000);
  t.deepEqual(network.options, { other: 'kept' });
  t.like(network.pools[0], { subnet: '10.50.1.0/24', gateway: '10.50.1.9/24', requested: true });
  t.like(network.pools[1], { subnet: '10.51.1.0/24', gateway: '10.51.1.128/24', range: '10.51.1.128/25' });
});

test('what cannot be allocated is refused by name', (t) => {
  const present = allocateNetwork(request({ pools: [{ subnet: '10.50.0.0/16', auxiliary: {} }] }), [], defaults);
  const refused = (more: Partial<SwarmNetworkRequest>, kind: 'invalid-argument' | 'forbidden', named: string) => {
    const error = throws(t, () => allocateNetwork(request(more), [present], defaults), kind);
    t.true(error.message.includes(named), error.message);
  };
  const pool = (more: object) => ({ pools: [{ auxiliary: {}, ...more }] });
  refused(pool({ subnet: '10.50.1.0/24' }), 'forbidden', 'Pool overlaps');
  refused(pool({ subnet: '10.60.1.0' }), 'invalid-argument', '10.60.1.0');
  refused(pool({ subnet: 'fd00::/64' }), 'invalid-argument', 'fd00::/64');
  refused(pool({ subnet: '10.60.1.0/24', gateway: '10.61.1.1' }), 'invalid-argument', '10.61.1.1');
  refused(pool({ subnet: '10.60.1.0/24', range: '10.61.1.0/25' }), 'invalid-argument', '10.61.1.0/25');
  const option = 'com.docker.network.driver.overlay.vxlanid_list';
  refused({ options: { [option]: '12' } }, 'invalid-argument', '"12"');
  refused({ options: { [option]: String(present.vxlanId) } }, 'forbidden', String(present.vxlanId));
});
