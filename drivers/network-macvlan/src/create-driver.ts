import { type DriverContext, Lifetime } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { Netlink, type NetlinkSocket } from '@gantry/lib-linux/netlink';
import { NameReservation } from '@gantry/lib-network';
import type { MacvlanConfig } from './config.js';
import { HostNetlink } from './host-netlink.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { ParentLinks } from './links/parent-links.js';
import { MacvlanNetworks } from './macvlan-networks.js';

export function createDriver({ container }: DriverContext<MacvlanConfig>): typeof MacvlanNetworks {
  container.registerFactory(HostNetlink, [Netlink.token, Lifetime], openNetlink);
  container.register(NameReservation, EndpointLinks, ParentLinks);
  return MacvlanNetworks;
}

/** @throws DriverSkipped on a host without netlink. */
function openNetlink(netlink: Netlink, lifetime: Lifetime): NetlinkSocket {
  try {
    const socket = netlink.open();
    lifetime.add(() => socket.close());
    return socket;
  } catch (cause) {
    throw new DriverSkipped(`macvlan networks need netlink: ${messageOf(cause)}`, { cause });
  }
}
