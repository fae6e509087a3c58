import type { NetworkSpec, RestoredEndpoint } from '@gantry/core/contracts';
import { Config, inject, injectable } from '@gantry/core/driver';
import type { Link, NetlinkSocket } from '@gantry/lib-linux/netlink';
import type { BridgeConfig } from '../config.js';
import { HostNetlink } from '../kernel-sessions.js';
import { readMark } from '../options/owner-mark.js';

interface FoundLinks {
  /** By endpoint id. */
  readonly endpoints: ReadonlyMap<string, Link>;
  /** Names of links that belong to no listed network or endpoint. */
  readonly orphans: readonly string[];
}

/** The links that carry the driver's mark. */
@injectable()
export class OwnLinks {
  constructor(
    @inject(Config) private readonly config: Pick<BridgeConfig, 'table'>,
    @inject(HostNetlink) private readonly netlink: NetlinkSocket,
  ) {}

  find(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): FoundLinks {
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
}
