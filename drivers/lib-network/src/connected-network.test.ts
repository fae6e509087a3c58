import type { JoinRequest, NetworkSpec } from '@gantry/core/contracts';
import test from 'ava';
import { ConnectedNetwork, checkRequest, networkOf } from './index.js';

const spec: NetworkSpec = {
  id: 'n1',
  name: 'front',
  options: {},
  internal: false,
  ipv6: true,
  pools: [
    { subnet: '10.1.0.0/16', gateway: '10.1.0.1/16' },
    { subnet: 'fd01::/64', gateway: undefined },
  ],
};

const request: JoinRequest = {
  networkId: 'n1',
  endpointId: 'e1',
  sandbox: { id: 'box', path: '/nowhere' },
  ipv4: '10.1.2.3/16',
  ipv6: 'fd01::5/64',
  interfaceName: 'eth0',
  defaultRoute: false,
  ports: [],
};

test('what joining answers follows from the pools, and the hardware address from the IPv4 address', (t) => {
  const described = new ConnectedNetwork(spec).describe(request);
  t.deepEqual(described, { macAddress: '02:42:0a:01:02:03', gateway: '10.1.0.1', ports: [] });
  t.is(
    new ConnectedNetwork(spec).describe({ ...request, macAddress: '02-AA-00-00-00-01' }).macAddress,
    '02:aa:00:00:00:01',
  );
  t.is(new ConnectedNetwork({ ...spec, internal: true }).describe(request).gateway, undefined);
});

test('a network in use is not removed, and one that is not there is not found', (t) => {
  const network = new ConnectedNetwork(spec);
  t.notThrows(() => network.refuseRemovalInUse());
  network.endpoints.set('e1', { request, joined: network.describe(request) });
  t.throws(() => network.refuseRemovalInUse(), { message: /network front id n1 has active endpoints/ });
  t.throws(() => networkOf(new Map([['n1', network]]), 'n2'), { message: 'network n2 not found' });
});

test('an endpoint is leaving until its links are gone, also when that fails', async (t) => {
  const network = new ConnectedNetwork(spec);
  let fail: (error: Error) => void = () => undefined;
  const removed = new Promise<void>((_resolve, reject) => {
    fail = reject;
  });
  const gone = network.trackLeaving('e1', removed);
  t.true(network.leaving.has('e1'));
  fail(new Error('busy'));
  await t.throwsAsync(gone, { message: 'busy' });
  t.false(network.leaving.has('e1'));
});

test('addresses and names that no interface can have are refused by value', (t) => {
  t.notThrows(() => checkRequest(request));
  const wrong: Partial<JoinRequest>[] = [
    { ipv4: 'fd01::5/64' },
    { ipv6: '10.1.2.3/16' },
    { linkLocal: ['fe80::x/64'] },
    { macAddress: '01:00:5e:00:00:01' },
    { macAddress: 'none' },
    { interfaceName: 'a/b' },
  ];
  for (const change of wrong) {
    const value = String(Object.values(change)[0]);
    const error = t.throws(() => checkRequest({ ...request, ...change }));
    t.true(error.message.includes(value), error.message);
    t.like(error, { kind: 'invalid-argument' });
  }
});
