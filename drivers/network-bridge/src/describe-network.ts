import type { NetworkSpec } from '@gantry/core/contracts';
import { forbidden } from '@gantry/core/errors';
import type { NetlinkSocket } from '@gantry/lib-linux/netlink';
import { familyOf, overlap } from '@gantry/lib-network';
import { BridgeNetwork } from './bridge-network.js';
import type { Config } from './config.js';
import { defaultMtu } from './links/default-mtu.js';
import { parseBridgeOptions } from './options/bridge-options.js';
import { bridgeNameOf } from './options/names.js';

/** @throws EngineError `invalid-argument` naming option and value. */
export function describeNetwork(spec: NetworkSpec, config: Config, netlink: NetlinkSocket): BridgeNetwork {
  const options = parseBridgeOptions(spec.options);
  const bridge = options.bridge ?? (options.isDefault ? config.defaultBridge : bridgeNameOf(spec.id));
  return new BridgeNetwork(spec, options, bridge, options.mtu ?? defaultMtu(netlink));
}

/** @throws EngineError `forbidden` naming both networks. */
export function refuseConflicts(network: BridgeNetwork, others: Iterable<BridgeNetwork>): void {
  for (const other of others) {
    const refuse = (what: string) =>
      forbidden(
        `cannot create network ${network.id} (${network.bridge}): conflicts with network ${other.id}` +
          ` (${other.bridge}): networks have ${what}`,
      );
    if (other.bridge === network.bridge) throw refuse('same bridge name');
    for (const { subnet } of network.spec.pools) {
      if (other.spec.pools.some((pool) => overlap(pool.subnet, subnet))) {
        throw refuse(`overlapping ${familyOf(subnet) === 'ipv4' ? 'IPv4' : 'IPv6'}`);
      }
    }
  }
}
