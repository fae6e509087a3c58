import { throws } from '@gantry/conformance';
import test from 'ava';
import { parseIpvlanOptions } from './parse-ipvlan-options.js';

test('options settle mode, flag, parent and size', (t) => {
  t.deepEqual(parseIpvlanOptions({}), {
    parent: undefined,
    link: { kind: 'ipvlan', mode: 'l2' },
    routed: false,
    mtu: undefined,
  });
  const all = { parent: 'eth0.5', ipvlan_mode: 'l3s', ipvlan_flag: 'private', 'com.docker.network.driver.mtu': '1300' };
  t.deepEqual(parseIpvlanOptions(all), {
    parent: 'eth0.5',
    link: { kind: 'ipvlan', mode: 'l3s', isolation: 'private' },
    routed: true,
    mtu: 1300,
  });
});

test('values that ipvlan does not have are refused by name', (t) => {
  for (const [name, value] of [
    ['ipvlan_mode', 'bridge'],
    ['gantry.ipvlan.flag', 'passthru'],
    ['parent', 'lo'],
    ['com.docker.network.driver.mtu', '10'],
  ] as const) {
    throws(t, () => parseIpvlanOptions({ [name]: value }), 'invalid-argument', new RegExp(`${name}: "${value}"`));
  }
});
