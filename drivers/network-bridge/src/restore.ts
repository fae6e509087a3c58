import type { NetworkSpec, PublishedPort, RestoredEndpoint } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import type { Link } from '@gantry/lib-linux/netlink';
import type { BridgeEndpoint, BridgeNetwork } from './bridge-network.js';
import type { Host } from './connect.js';
import { attach, plug } from './links/endpoint-link.js';
import { readMark } from './options/owner-mark.js';
import type { HeldPort } from './ports/held-port.js';
import type { HostPorts } from './ports/host-ports.js';

/** The links that are marked as the engine's own, by endpoint. */
export interface OwnLinks {
  readonly endpoints: ReadonlyMap<string, Link>;
  /** Names of those that belong to nothing that should exist. */
  readonly leftovers: readonly string[];
}

export function findOwnLinks(
  { netlink, owner }: Host,
  networks: readonly NetworkSpec[],
  endpoints: readonly RestoredEndpoint[],
): OwnLinks {
  const networkIds = new Set(networks.map(({ id }) => id));
  const endpointIds = new Set(endpoints.map(({ request }) => request.endpointId));
  const found = new Map<string, Link>();
  const leftovers: string[] = [];
  for (const link of netlink.links()) {
    const mark = readMark(owner, link.alias);
    if (mark === undefined) continue;
    if (mark.kind === 'endpoint' && endpointIds.has(mark.endpointId)) found.set(mark.endpointId, link);
    else if (mark.kind === 'endpoint' || !networkIds.has(mark.networkId)) leftovers.push(link.name);
  }
  return { endpoints: found, leftovers };
}

/**
 * Sees to it that an endpoint's links are there and on the bridge, whose index is given.
 * @returns the name of the host's end; undefined when the sandbox is gone, or it could not be done.
 */
export function restoreLinks(
  { netlink, owner, log }: Host,
  network: BridgeNetwork,
  { request, joined }: RestoredEndpoint,
  present: Link | undefined,
  bridge: number | undefined,
): string | undefined {
  const facts = { event: 'endpoint.restore', networkId: network.id, endpointId: request.endpointId };
  try {
    if (present !== undefined) {
      // As a daemon that was only away leaves it; asking the kernel again for each would take most of the time.
      if (present.up && present.master === bridge) return present.name;
      attach(netlink, network, present.index);
      return present.name;
    }
    if (!kernelNamespaces.isNamespace(request.sandbox.path)) {
      log.warn(facts, 'the sandbox of an endpoint is gone');
      return undefined;
    }
    log.warn(facts, 'the links of an endpoint were gone: they are made again');
    return plug(netlink, owner, { network, request, macAddress: joined.macAddress });
  } catch (error) {
    log.error({ ...facts, reason: messageOf(error) }, 'an endpoint could not be restored');
    return present?.name;
  }
}

/** Holds the ports of an endpoint again. One that somebody took meanwhile is left to them, and said so. */
export function restorePorts(
  hostPorts: HostPorts,
  { request, joined }: RestoredEndpoint,
  before: BridgeEndpoint | undefined,
  log: Logger,
): HeldPort[] {
  return joined.ports.flatMap((published) => {
    const held = before?.ports.find((port) => isSame(port.published, published)) ?? hostPorts.reclaim(published);
    if (held !== undefined) return [held];
    const facts = { event: 'port.lost', endpointId: request.endpointId, ...published };
    log.warn(facts, 'a published port was taken by another program while the daemon was away');
    return [];
  });
}

/** The ports an endpoint has with those that have become free again; undefined when there are no more than before. */
export function reclaimPorts(hostPorts: HostPorts, { joined, ports }: BridgeEndpoint): readonly HeldPort[] | undefined {
  if (ports.length >= joined.ports.length) return undefined;
  const lost = joined.ports.filter((published) => !ports.some((port) => isSame(port.published, published)));
  const back = lost.flatMap((published) => hostPorts.reclaim(published) ?? []);
  return back.length === 0 ? undefined : [...ports, ...back];
}

const isSame = (one: PublishedPort, other: PublishedPort): boolean =>
  one.protocol === other.protocol && one.hostIp === other.hostIp && one.hostPort === other.hostPort;
