import type { DriverContext } from '@gantry/core/driver';
import { BridgeNetworks } from './bridge-networks.js';
import type { BridgeConfig } from './config.js';
import { EndpointConnector } from './endpoint-connector.js';
import { EndpointRestorer } from './endpoint-restorer.js';
import { Firewall } from './firewall/firewall.js';
import { Forwarding } from './forwarding.js';
import { HostWatch } from './host-watch.js';
import { registerKernelSessions } from './kernel-sessions.js';
import { Bridges } from './links/bridges.js';
import { DefaultBridgeCheck } from './links/default-bridge-check.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { LinkRemoval } from './links/link-removal.js';
import { NetworkSetup } from './network-setup.js';
import { NetworkTable } from './network-table.js';
import { HostPorts } from './ports/host-ports.js';
import { UdpFlows } from './ports/udp-flows.js';

export function createDriver({ container }: DriverContext<BridgeConfig>): typeof BridgeNetworks {
  registerKernelSessions(container);
  container.register(NetworkTable, Firewall, Forwarding, Bridges, EndpointLinks, LinkRemoval, HostPorts, UdpFlows);
  container.register(DefaultBridgeCheck, NetworkSetup, EndpointConnector, EndpointRestorer, HostWatch);
  return BridgeNetworks;
}
