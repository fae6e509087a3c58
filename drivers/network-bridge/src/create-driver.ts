import type { DriverContext } from '@gantry/core/driver';
import { Netlink } from '@gantry/lib-linux/netlink';
import { Nftables } from '@gantry/lib-linux/nftables';
import { BridgeNetworks } from './bridge-networks.js';
import type { BridgeConfig } from './config.js';
import { EndpointConnector } from './endpoint-connector.js';
import { EndpointRestorer } from './endpoint-restorer.js';
import { Firewall } from './firewall/firewall.js';
import { Forwarding } from './forwarding.js';
import { HostWatch } from './host-watch.js';
import { FirewallSession, FirewallView, HostNetlink, openKernelSessions } from './kernel-sessions.js';
import { Bridges } from './links/bridges.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { LinkRemoval } from './links/link-removal.js';
import { NetworkSetup } from './network-setup.js';
import { NetworkTable } from './network-table.js';
import { HostPorts } from './ports/host-ports.js';
import { UdpFlows } from './ports/udp-flows.js';

/** Probes the host for what the driver needs. */
export function createDriver({ container, lifetime, services }: DriverContext<BridgeConfig>): typeof BridgeNetworks {
  const sessions = openKernelSessions(services.service(Netlink), services.service(Nftables), lifetime);
  container.registerValue(HostNetlink, sessions.netlink);
  container.registerValue(FirewallSession, sessions.session);
  container.registerValue(FirewallView, sessions.view);
  container.register(NetworkTable, Firewall, Forwarding, Bridges, EndpointLinks, LinkRemoval, HostPorts, UdpFlows);
  container.register(NetworkSetup, EndpointConnector, EndpointRestorer, HostWatch);
  return BridgeNetworks;
}
