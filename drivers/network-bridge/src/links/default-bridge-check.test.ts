import { LinuxError } from '@gantry/lib-linux/errors';
import type { Link, NetlinkSocket } from '@gantry/lib-linux/netlink';
import test from 'ava';
import type { BridgeNetwork } from '../bridge-network.js';
import type { BridgeConfig } from '../config.js';
import { DefaultBridgeCheck } from './default-bridge-check.js';

test('a bridge that is removed while the host is checked is no conflict', (t) => {
  const netlink: Partial<NetlinkSocket> = {
    link: () => undefined,
    links: () => [{ index: 7, name: 'removed', kind: 'bridge', alias: undefined } as Link],
    addresses: () => {
      throw new LinuxError('ENODEV', 'netlink');
    },
  };
  const check = new DefaultBridgeCheck({ table: 'gantry' } as BridgeConfig, netlink as NetlinkSocket);
  const network = { bridge: 'gantry0', spec: { name: 'bridge', pools: [] as readonly object[] } } as BridgeNetwork;
  t.notThrows(() => check.refuseConflicts(network));
});

test('a bridge with the mark of another network names every key that may have led there', (t) => {
  const alias = `gantry network ${'a'.repeat(64)}`;
  const netlink: Partial<NetlinkSocket> = {
    link: () => ({ index: 7, name: 'gantry0', kind: 'bridge', alias }) as Link,
  };
  const check = new DefaultBridgeCheck({ table: 'gantry' } as BridgeConfig, netlink as NetlinkSocket);
  const network = { bridge: 'gantry0', id: 'b'.repeat(64), spec: { name: 'bridge' } } as BridgeNetwork;
  const error = t.throws(() => check.refuseConflicts(network));
  for (const key of ['usernsRemap', 'dataRoot', 'defaultBridge', '.table', '"ip link delete gantry0"']) {
    t.true(error.message.includes(key), `${key}: ${error.message}`);
  }
});
