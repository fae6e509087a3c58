import { type DriverContext, Lifetime } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { isInUserNamespace } from '@gantry/lib-linux/host';
import { Netlink, type NetlinkSocket } from '@gantry/lib-linux/netlink';
import type { OverlayConfig } from './config.js';
import { DescribeNetwork } from './describe-network.js';
import { EncryptedPorts } from './encryption/encrypted-ports.js';
import { EncryptedTunnels } from './encryption/encrypted-tunnels.js';
import { HostNetlink } from './host-netlink.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { NetworkNamespaces } from './links/network-namespaces.js';
import { NetworkTable } from './network-table.js';
import { OverlayLifecycle } from './overlay-lifecycle.js';
import { OverlayNetworks } from './overlay-networks.js';
import { PeerTable } from './peers/peer-table.js';
import { PeerWatch } from './peers/peer-watch.js';
import { RestoreNetworks } from './restore-networks.js';

export function createDriver({ container }: DriverContext<OverlayConfig>): typeof OverlayNetworks {
  if (isInUserNamespace()) {
    throw new DriverSkipped('overlay networks need the interfaces of the host, and a rootless engine has none');
  }
  container.registerFactory(HostNetlink, [Netlink.token, Lifetime], openNetlink);
  container.register(NetworkTable, NetworkNamespaces, EndpointLinks, PeerTable, PeerWatch, RestoreNetworks);
  container.register(EncryptedPorts, EncryptedTunnels, DescribeNetwork);
  container.registerHooks(OverlayLifecycle);
  return OverlayNetworks;
}

/** @throws DriverSkipped on a host without netlink. */
function openNetlink(netlink: Netlink, lifetime: Lifetime): NetlinkSocket {
  try {
    const socket = netlink.open();
    lifetime.add(() => socket.close());
    return socket;
  } catch (cause) {
    throw new DriverSkipped(`overlay networks need netlink: ${messageOf(cause)}`, { cause });
  }
}
