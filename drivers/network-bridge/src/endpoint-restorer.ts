import type { NetworkSpec, PublishedPort, RestoredEndpoint } from '@gantry/core/contracts';
import { Config, inject, injectable, Logger } from '@gantry/core/driver';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import type { Link, NetlinkSocket } from '@gantry/lib-linux/netlink';
import type { BridgeEndpoint, BridgeNetwork } from './bridge-network.js';
import type { BridgeConfig } from './config.js';
import { HostNetlink } from './kernel-sessions.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { readMark } from './options/owner-mark.js';
import type { HeldPort } from './ports/held-port.js';
import { HostPorts } from './ports/host-ports.js';

/** The links that carry the driver's mark. */
interface OwnLinks {
  /** By endpoint id. */
  readonly endpoints: ReadonlyMap<string, Link>;
  /** Names of links that belong to no listed network or endpoint. */
  readonly orphans: readonly string[];
}

/** Restores links and ports of endpoints after a restart. */
@injectable()
export class EndpointRestorer {
  constructor(
    @inject(Config) private readonly config: BridgeConfig,
    @inject(HostNetlink) private readonly netlink: NetlinkSocket,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(HostPorts) private readonly hostPorts: HostPorts,
    @inject(Logger) private readonly log: Logger,
  ) {}

  findOwnLinks(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): OwnLinks {
    const networkIds = new Set(networks.map(({ id }) => id));
    const endpointIds = new Set(endpoints.map(({ request }) => request.endpointId));
    const found = new Map<string, Link>();
    const orphans: string[] = [];
    for (const link of this.netlink.links()) {
      const mark = readMark(this.config.table, link.alias);
      if (mark === undefined) continue;
      if (mark.kind === 'endpoint' && endpointIds.has(mark.endpointId)) found.set(mark.endpointId, link);
      else if (mark.kind === 'endpoint' || !networkIds.has(mark.networkId)) orphans.push(link.name);
    }
    return { endpoints: found, orphans };
  }

  /**
   * Attaches an endpoint's links to the bridge of the given index, or creates them.
   * @returns the name of the host's end; undefined when the sandbox is gone or creating failed, which is logged.
   */
  restoreLinks(
    network: BridgeNetwork,
    { request, joined }: RestoredEndpoint,
    present: Link | undefined,
    bridge: number | undefined,
  ): string | undefined {
    const facts = { event: 'endpoint.restore', networkId: network.id, endpointId: request.endpointId };
    try {
      if (present !== undefined) {
        // The usual case after a restart: another netlink request for each endpoint would take most of the time.
        if (present.up && present.master === bridge) return present.name;
        this.links.attach(network, present.index);
        return present.name;
      }
      if (!this.namespaces.isNamespace(request.sandbox.path)) {
        this.log.warn(facts, 'the sandbox of an endpoint is gone');
        return undefined;
      }
      this.log.warn(facts, 'the links of an endpoint were missing; creating them again');
      return this.links.plug({ network, request, macAddress: joined.macAddress });
    } catch (error) {
      this.log.error({ ...facts, error }, 'failed to restore an endpoint');
      return present?.name;
    }
  }

  /** Reserves the ports of an endpoint again. One that another program has bound since is logged and left out. */
  restorePorts({ request, joined }: RestoredEndpoint, before: BridgeEndpoint | undefined): HeldPort[] {
    return joined.ports.flatMap((published) => {
      const held = before?.ports.find((port) => isSame(port.published, published)) ?? this.hostPorts.reclaim(published);
      if (held !== undefined) return [held];
      const facts = { event: 'port.lost', endpointId: request.endpointId, ...published };
      this.log.warn(facts, 'a published port was bound by another program while the daemon was down');
      return [];
    });
  }

  /** The ports of an endpoint with lost ones that are free again; undefined when none is. */
  reclaimPorts({ joined, ports }: BridgeEndpoint): readonly HeldPort[] | undefined {
    if (ports.length >= joined.ports.length) return undefined;
    const lost = joined.ports.filter((published) => !ports.some((port) => isSame(port.published, published)));
    const reclaimed = lost.flatMap((published) => this.hostPorts.reclaim(published) ?? []);
    return reclaimed.length === 0 ? undefined : [...ports, ...reclaimed];
  }
}

const isSame = (one: PublishedPort, other: PublishedPort): boolean =>
  one.protocol === other.protocol && one.hostIp === other.hostIp && one.hostPort === other.hostPort;
