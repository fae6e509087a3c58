import type { JoinRequest, PublishedPort } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { type ConnectionFilter, kernelConntrack } from '@gantry/lib-linux/conntrack';
import { withoutPrefix } from '@gantry/lib-network';

/**
 * A client that goes on sending UDP keeps its flow alive, and with it where its packets go: to whoever had the port
 * before, or to nobody. Called when ports are published, so that the flows find the new container.
 */
export function forgetOlderFlows(ports: readonly PublishedPort[], log: Logger): void {
  const destinationPorts = new Set(ports.filter(isUdp).map(({ hostPort }) => hostPort));
  if (destinationPorts.size === 0) return;
  for (const family of ['ipv4', 'ipv6'] as const) forget({ family, protocol: 'udp', destinationPorts }, log);
}

/** Called when they are given back: the container's address may soon be another's. */
export function forgetFlowsTo({ ipv4, ipv6 }: JoinRequest, ports: readonly PublishedPort[], log: Logger): void {
  if (!ports.some(isUdp)) return;
  if (ipv4 !== undefined) forget({ family: 'ipv4', protocol: 'udp', answeredBy: withoutPrefix(ipv4) }, log);
  if (ipv6 !== undefined) forget({ family: 'ipv6', protocol: 'udp', answeredBy: withoutPrefix(ipv6) }, log);
}

const isUdp = ({ protocol }: PublishedPort): boolean => protocol === 'udp';

/** Ports work without it, for new flows. */
function forget(filter: ConnectionFilter, log: Logger): void {
  try {
    kernelConntrack.forget(filter);
  } catch (error) {
    const facts = { event: 'flows.kept', reason: messageOf(error) };
    log.warn(facts, 'older UDP flows of a published port may go on to where they went');
  }
}
