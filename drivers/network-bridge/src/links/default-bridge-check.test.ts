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
