import type { DriverContext } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { Netlink, type NetlinkSocket } from '@gantry/lib-linux/netlink';
import type { MacvlanConfig } from './config.js';
import { HostNetlink } from './host-netlink.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { ParentLinks } from './links/parent-links.js';
import { MacvlanNetworks } from './macvlan-networks.js';

/** Probes the host for what the driver needs. */
export function createDriver({ container, lifetime, services }: DriverContext<MacvlanConfig>): typeof MacvlanNetworks {
  const netlink = openNetlink(services.service(Netlink));
  lifetime.add(() => netlink.close());
  container.registerValue(HostNetlink, netlink);
  container.register(EndpointLinks, ParentLinks);
  return MacvlanNetworks;
}

function openNetlink(netlink: Netlink): NetlinkSocket {
  try {
    return netlink.open();
  } catch (cause) {
    throw new DriverSkipped(`macvlan networks need netlink: ${messageOf(cause)}`, { cause });
  }
}
