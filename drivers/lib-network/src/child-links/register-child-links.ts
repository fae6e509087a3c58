import type { NetworkDriver } from '@gantry/core/contracts';
import { type Class, Lifetime, type PackageContainer } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import { Netlink, type NetlinkSocket } from '@gantry/lib-linux/netlink';
import { NameReservation } from '../name-reservation.js';
import { ChildLinkKind } from './child-link-kind.js';
import { ChildLinkNetworks } from './child-link-networks.js';
import { EndpointLinks } from './endpoint-links.js';
import { HostNetlink } from './host-netlink.js';
import { ParentLinks } from './parent-links.js';

/**
 * Registers what the driver of one kind of child links consists of. @returns the driver.
 * @throws DriverSkipped in a rootless engine.
 */
export function registerChildLinks(container: PackageContainer, kind: ChildLinkKind): Class<NetworkDriver> {
  if (isInUserNamespace()) {
    throw new DriverSkipped(`${kind.name} networks need an interface of the host, and a rootless engine has none`);
  }
  container.registerValue(ChildLinkKind, kind);
  container.registerFactory(HostNetlink, [Netlink.token, Lifetime], (netlink: Netlink, lifetime: Lifetime) =>
    openNetlink(kind, netlink, lifetime),
  );
  container.register(NameReservation, EndpointLinks, ParentLinks);
  return ChildLinkNetworks;
}

/** @throws DriverSkipped on a host without netlink. */
function openNetlink({ name }: ChildLinkKind, netlink: Netlink, lifetime: Lifetime): NetlinkSocket {
  try {
    const socket = netlink.open();
    lifetime.add(() => socket.close());
    return socket;
  } catch (cause) {
    throw new DriverSkipped(`${name} networks need netlink: ${messageOf(cause)}`, { cause });
  }
}
