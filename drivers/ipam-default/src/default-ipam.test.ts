import { ipamDriverSuite, openDriver, rejects } from '@gantry/conformance';
import { type Block, parseSubnet } from '@gantry/lib-network/subnet';
import test from 'ava';
import { parsePools } from './config.js';
import { DefaultIpam } from './default-ipam.js';
import driver from './index.js';

ipamDriverSuite(test, () => openDriver(driver));

const block = (text: string): Block => {
  const subnet = parseSubnet(text);
  if (subnet === undefined) throw new Error(text);
  return subnet;
};
const twoPools = parsePools({
  pools: [
    { base: '172.17.0.0/16', size: 16 },
    { base: '192.168.0.0/22', size: 24 },
  ],
});

test('subnets are chosen in order, stepping over what the host has', async (t) => {
  const ipam = new DefaultIpam(twoPools, { read: async () => [block('192.168.1.128/25')] });
  const chosen = [];
  for (let count = 0; count < 4; count++) chosen.push((await ipam.requestPool({ ipv6: false })).subnet);
  t.deepEqual(chosen, ['172.17.0.0/16', '192.168.0.0/24', '192.168.2.0/24', '192.168.3.0/24']);
  await rejects(
    t,
    ipam.requestPool({ ipv6: false }),
    'unavailable',
    /^could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network$/,
  );
  await ipam.releasePool('172.17.0.0/16');
  t.is((await ipam.requestPool({ ipv6: false })).subnet, '172.17.0.0/16');
});

test('a subnet that the user names may overlap a route of the host', async (t) => {
  const ipam = new DefaultIpam(twoPools, { read: async () => [block('10.0.0.0/8')] });
  t.is((await ipam.requestPool({ subnet: '10.1.2.3/24', ipv6: false })).subnet, '10.1.2.0/24');
});

test('without IPv6 pools in the configuration none is chosen', async (t) => {
  const ipam = new DefaultIpam(twoPools, { read: async () => [] });
  await rejects(t, ipam.requestPool({ ipv6: true }), 'unavailable', /IPv6 address pool among the defaults/);
  const six = new DefaultIpam(parsePools({ pools: [{ base: 'fd00::/16', size: 64 }] }), {
    read: async () => [block('fd00::/64')],
  });
  t.is((await six.requestPool({ ipv6: true })).subnet, 'fd00:0:0:1::/64');
});

test('a pool in the configuration that is no subnet is refused by its place', (t) => {
  const parse = (base: string, size: number) => () => parsePools({ pools: [{ base, size }] });
  t.throws(parse('172.17.0.0', 16), { message: 'pools[0].base: "172.17.0.0" is not a subnet such as 10.200.0.0/16' });
  t.throws(parse('172.17.0.0/16', 12), { message: /^pools\[0\]\.size: 12 does not lie between 16/ });
  t.throws(parse('172.17.0.0/16', 33), { message: /^pools\[0\]\.size: 33/ });
});

test('subnets of two addresses and of one give every address', async (t) => {
  const ipam = new DefaultIpam([], { read: async () => [] });
  const pair = await ipam.requestPool({ subnet: '10.0.0.0/31', ipv6: false });
  t.is(await ipam.requestAddress(pair.id), '10.0.0.0/31');
  t.is(await ipam.requestAddress(pair.id), '10.0.0.1/31');
  await rejects(t, ipam.requestAddress(pair.id), 'unavailable');
  const one = await ipam.requestPool({ subnet: 'fd00::7/128', ipv6: true });
  t.is(await ipam.requestAddress(one.id), 'fd00::7/128');
});
