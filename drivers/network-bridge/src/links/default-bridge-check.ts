import { Config, inject, injectable } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import type { Link, NetlinkSocket } from '@gantry/lib-linux/netlink';
import { familyOf, overlap, subnetOf } from '@gantry/lib-network';
import type { BridgeNetwork } from '../bridge-network.js';
import type { BridgeConfig } from '../config.js';
import { HostNetlink } from '../kernel-sessions.js';
import { isMarkedByAnother, readMark } from '../options/owner-mark.js';

const bridgeKey = 'config.drivers["network/bridge"].defaultBridge';
const tableKey = 'config.drivers["network/bridge"].table';
const subnetKey = 'config.plugins["networks"].bridgeSubnet';

/** Whether the host's interfaces leave room for the default network, when it is first created. */
@injectable()
export class DefaultBridgeCheck {
  constructor(
    @inject(Config) private readonly config: BridgeConfig,
    @inject(HostNetlink) private readonly netlink: NetlinkSocket,
  ) {}

  /**
   * @throws EngineError `forbidden` naming the configuration keys to change: the interface belongs to another network or
   * engine, it has addresses outside the network's subnet, or another bridge has addresses in it.
   */
  refuseConflicts(network: BridgeNetwork): void {
    const existing = this.netlink.link(network.bridge);
    if (existing !== undefined) this.#refuseForeign(network, existing);
    for (const link of this.netlink.links()) {
      if (link.kind !== 'bridge' || link.index === existing?.index || this.#isOwn(link)) continue;
      const overlapping = this.#addressesOf(link).find((address) => isWithin(network, address));
      if (overlapping === undefined) continue;
      throw forbidden(
        `cannot create network ${network.spec.name}: its subnet ${subnetsOf(network)} overlaps ${overlapping} of the` +
          ` bridge ${link.name}; set ${subnetKey} to a free subnet`,
      );
    }
  }

  #refuseForeign(network: BridgeNetwork, link: Link): void {
    const { bridge, id, spec } = network;
    const refusal = (what: string, advice: string) =>
      forbidden(`cannot create network ${spec.name}: the interface ${bridge} ${what}; ${advice}`);
    const rename = `set ${bridgeKey} to a name that is not in use`;
    if (link.kind !== 'bridge') throw refusal('is not a bridge', rename);
    const mark = readMark(this.config.table, link.alias);
    if (mark !== undefined && mark.networkId !== id) {
      const other = `belongs to network ${mark.networkId} of an engine with the same table "${this.config.table}"`;
      const left = `if this engine left it before its dataRoot or usernsRemap was changed, delete it with "ip link delete ${bridge}"`;
      throw refusal(
        other,
        `${left}, otherwise set ${bridgeKey} and ${tableKey} to names that no other engine on this host uses`,
      );
    }
    if (isMarkedByAnother(this.config.table, link.alias)) throw refusal('belongs to another engine', rename);
    const addresses = this.#addressesOf(link).filter((address) => familyOf(address) === 'ipv4');
    if (mark !== undefined || addresses.length === 0) return;
    if (addresses.some((address) => isWithin(network, address))) return;
    throw refusal(
      `exists with the address ${addresses.join(', ')}, outside of the network's subnet ${subnetsOf(network)}`,
      `${rename}, or ${subnetKey} to the subnet of that address`,
    );
  }

  #isOwn({ alias }: Link): boolean {
    return readMark(this.config.table, alias) !== undefined;
  }

  #addressesOf({ index }: Link): readonly string[] {
    try {
      return this.netlink
        .addresses(index)
        .filter(({ scope }) => scope !== 'link')
        .map(({ address }) => address);
    } catch (error) {
      if (isErrno(error, 'ENODEV')) return []; // removed since the links were listed
      throw error;
    }
  }
}

const isWithin = ({ spec }: BridgeNetwork, address: string): boolean =>
  spec.pools.some(({ subnet }) => overlap(subnet, subnetOf(address)));

const subnetsOf = ({ spec }: BridgeNetwork): string => spec.pools.map(({ subnet }) => subnet).join(', ');
