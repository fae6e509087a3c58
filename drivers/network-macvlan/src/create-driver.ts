import type { NetworkDriver } from '@gantry/core/contracts';
import type { DriverContext, DriverLifecycle } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { kernelNetlink, type NetlinkSocket } from '@gantry/lib-linux/netlink';
import type { Config } from './config.js';
import { MacvlanNetworks } from './macvlan-networks.js';

export function createDriver({ config, lifetime, log }: DriverContext<Config>): NetworkDriver & DriverLifecycle {
  const netlink = openNetlink();
  lifetime.add(() => netlink.close());
  return new MacvlanNetworks({ netlink, owner: config.owner, log });
}

function openNetlink(): NetlinkSocket {
  try {
    return kernelNetlink.open();
  } catch (cause) {
    throw new DriverSkipped(`macvlan networks need netlink: ${messageOf(cause)}`, { cause });
  }
}
