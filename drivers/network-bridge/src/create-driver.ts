import type { NetworkDriver } from '@gantry/core/contracts';
import type { DriverContext, DriverLifecycle, Lifetime } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import { kernelNftables } from '@gantry/lib-linux/nftables';
import { BridgeNetworks } from './bridge-networks.js';
import type { Config } from './config.js';
import { Firewall } from './firewall/firewall.js';
import { watchHost } from './watch-host.js';

/** Probes the host for what the driver needs. */
export function createDriver(context: DriverContext<Config>): NetworkDriver & DriverLifecycle {
  const { config, lifetime, log } = context;
  const { netlink, session, view } = openHost(lifetime);
  const firewall = new Firewall(config.table, session, view, log);
  const driver = new BridgeNetworks(config, { netlink, firewall, owner: config.table, log });
  watchHost(() => driver.check(), config.checkSeconds, lifetime, log);
  return driver;
}

function openHost(lifetime: Lifetime) {
  const open = <T extends { close(): void }>(part: T): T => {
    lifetime.add(() => part.close());
    return part;
  };
  try {
    return {
      netlink: open(kernelNetlink.open()),
      session: open(kernelNftables.open()),
      view: open(kernelNftables.openView()),
    };
  } catch (cause) {
    throw new DriverSkipped(`bridge networks need netlink and nftables: ${messageOf(cause)}`, { cause });
  }
}
