import type { JoinRequest, PortRequest } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import type { Logger } from '@gantry/core/driver';
import type { NetlinkSocket } from '@gantry/lib-linux/netlink';
import { type BridgeEndpoint, type BridgeNetwork, endpointRules } from './bridge-network.js';
import type { Firewall } from './firewall/firewall.js';
import { plug } from './links/endpoint-link.js';
import { forgetFlowsTo, forgetOlderFlows } from './ports/forget-flows.js';
import type { HeldPort } from './ports/held-port.js';
import { targetOf } from './ports/target-of.js';

/** What it takes to change the host. */
export interface Host {
  readonly netlink: NetlinkSocket;
  readonly firewall: Firewall;
  /** What the engine's own links are marked with. */
  readonly owner: string;
  readonly log: Logger;
}

/** Links, rules and sockets of an endpoint, and its place on the network. On a throw the links may be left. */
export function connect(
  { netlink, firewall, owner, log }: Host,
  network: BridgeNetwork,
  request: JoinRequest,
  ports: readonly HeldPort[],
): BridgeEndpoint {
  const joined = network.describe(
    request,
    ports.map(({ published }) => published),
  );
  const veth = plug(netlink, owner, { network, request, macAddress: joined.macAddress });
  crashPoint('bridge.endpoint.plugged');
  const endpoint = { request, joined, veth, ports };
  firewall.addEndpoint(endpointRules(endpoint));
  crashPoint('bridge.endpoint.ruled');
  forgetOlderFlows(joined.ports, log);
  servePorts(endpoint);
  network.endpoints.set(request.endpointId, endpoint);
  firewall.setLinks(network.id, network.links);
  return endpoint;
}

/** Takes the ports of an endpoint away, and leaves it where it is. */
export function unpublish({ firewall, log }: Host, network: BridgeNetwork, endpoint: BridgeEndpoint): void {
  const { request, joined } = endpoint;
  firewall.removeEndpoint(request.endpointId);
  closePorts(endpoint.ports);
  forgetFlowsTo(request, joined.ports, log);
  const bare = { ...endpoint, request: { ...request, ports: [] }, joined: { ...joined, ports: [] }, ports: [] };
  network.endpoints.set(request.endpointId, bare);
  firewall.addEndpoint(endpointRules(bare));
}

/** Publishes ports of an endpoint that has none. On a throw they are closed. */
export function publish(
  { firewall, log }: Host,
  network: BridgeNetwork,
  endpoint: BridgeEndpoint,
  asked: readonly PortRequest[],
  ports: readonly HeldPort[],
): BridgeEndpoint {
  const joined = { ...endpoint.joined, ports: ports.map(({ published }) => published) };
  const published = { ...endpoint, request: { ...endpoint.request, ports: asked }, joined, ports };
  try {
    firewall.addEndpoint(endpointRules(published));
  } catch (error) {
    closePorts(ports);
    throw error;
  }
  forgetOlderFlows(joined.ports, log);
  servePorts(published);
  network.endpoints.set(endpoint.request.endpointId, published);
  return published;
}

/** Begins to serve the ports that an endpoint holds; those of one without an address stay closed. */
export function servePorts({ ports, request }: BridgeEndpoint): void {
  for (const port of ports) {
    const target = targetOf(port.published, request);
    if (target !== undefined) port.serve(target);
  }
}

export const closePorts = (ports: readonly HeldPort[]): void => {
  for (const port of ports) port.close();
};
