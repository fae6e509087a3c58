import { Config, inject, injectable } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import { type Link, type NetlinkSocket, Sysctl } from '@gantry/lib-linux/netlink';
import { familyOf } from '@gantry/lib-network';
import type { BridgeNetwork } from '../bridge-network.js';
import type { BridgeConfig } from '../config.js';
import { HostNetlink } from '../kernel-sessions.js';
import { bridgeMacOf } from '../options/names.js';
import { readMark, writeMark } from '../options/owner-mark.js';

const ethernetMtu = 1500;

/** The bridges of networks. */
@injectable()
export class Bridges {
  constructor(
    @inject(Config) private readonly config: BridgeConfig,
    @inject(HostNetlink) private readonly netlink: NetlinkSocket,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

  exists({ bridge }: BridgeNetwork): boolean {
    return this.netlink.link(bridge) !== undefined;
  }

  /**
   * Creates or repairs a network's bridge: up, with the gateways' addresses. A bridge that existed before is used and
   * keeps its other addresses; one of the driver's own loses stale ones.
   * @throws EngineError `forbidden` when an interface of that name is not a bridge, or is another network's.
   */
  ensure(network: BridgeNetwork): void {
    const link = this.netlink.link(network.bridge) ?? this.#create(network);
    if (link.kind !== 'bridge') {
      throw forbidden(`cannot create network ${network.spec.name}: the interface ${network.bridge} is not a bridge`);
    }
    const mark = readMark(this.config.table, link.alias);
    if (mark !== undefined && (mark.kind !== 'network' || mark.networkId !== network.id)) {
      throw forbidden(
        `cannot create network ${network.id} (${network.bridge}): conflicts with network ${mark.networkId}` +
          ` (${network.bridge}): networks have same bridge name`,
      );
    }
    this.#configure(network);
    this.#setAddresses(link, network.gateways, mark !== undefined);
    this.netlink.setLink(link.index, { up: true });
  }

  /** The bridge to delete with its network: only one that the driver created. */
  removable({ bridge, id }: BridgeNetwork): string | undefined {
    const mark = readMark(this.config.table, this.netlink.link(bridge)?.alias);
    return mark?.kind === 'network' && mark.networkId === id ? bridge : undefined;
  }

  /** Whether a bridge exists with the setting that published ports need. Microseconds. */
  isIntact({ bridge }: BridgeNetwork): boolean {
    return this.sysctl.read(`net/ipv4/conf/${bridge}/route_localnet`) === '1';
  }

  /** Packets must fit through the host's default route, whose MTU is smaller in tunnels and clouds. */
  defaultMtu(): number {
    const route = this.netlink
      .routes()
      .find(({ destination, link }) => destination === 'default' && link !== undefined);
    const mtu = route?.link === undefined ? undefined : this.netlink.link(route.link)?.mtu;
    return Math.min(ethernetMtu, mtu ?? ethernetMtu);
  }

  #create({ bridge, mtu, id }: BridgeNetwork): Link {
    this.netlink.addLink({ kind: 'bridge', name: bridge, mtu, macAddress: bridgeMacOf(id) });
    const created = this.netlink.link(bridge);
    if (created === undefined) throw new Error(`the bridge ${bridge} was removed while it was being created`);
    const alias = writeMark(this.config.table, { kind: 'network', networkId: id });
    this.netlink.setLink(created.index, { alias });
    return { ...created, alias };
  }

  /** Kernel settings of the interface, written before it is up. */
  #configure({ bridge, spec, isClosed }: BridgeNetwork): void {
    const set = (setting: string, value: number): void => {
      if (this.sysctl.read(setting) !== undefined) this.sysctl.write(setting, value);
    };
    set(`net/ipv6/conf/${bridge}/disable_ipv6`, spec.ipv6 ? 0 : 1);
    // The addresses are unique: duplicate address detection would delay the first container by a second.
    set(`net/ipv6/conf/${bridge}/accept_dad`, 0);
    // A container on the bridge could send router advertisements.
    set(`net/ipv6/conf/${bridge}/accept_ra`, 0);
    // Connections to published ports at 127.0.0.1 arrive from there.
    set(`net/ipv4/conf/${bridge}/route_localnet`, 1);
    // Ports of a closed network are isolated; the host answers ARP for them and forwards what links allow.
    set(`net/ipv4/conf/${bridge}/proxy_arp_pvlan`, isClosed ? 1 : 0);
    if (!isClosed) return;
    set(`net/ipv4/neigh/${bridge}/proxy_delay`, 0);
    set(`net/ipv4/conf/${bridge}/send_redirects`, 0);
  }

  #setAddresses(link: Link, wanted: readonly string[], isOwn: boolean): void {
    const present = this.netlink.addresses(link.index).filter(({ scope }) => scope !== 'link');
    for (const { address } of present) {
      if (isOwn && !wanted.includes(address)) this.netlink.deleteAddress(link.index, address);
    }
    for (const address of wanted) {
      if (present.some((other) => other.address === address)) continue;
      this.netlink.addAddress(link.index, familyOf(address) === 'ipv6' ? { address, noDad: true } : address);
    }
  }
}
