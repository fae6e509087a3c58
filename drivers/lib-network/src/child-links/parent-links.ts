import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable } from '@gantry/core/driver';
import { forbidden, invalidArgument, unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { type NetlinkSocket, Sysctl } from '@gantry/lib-linux/netlink';
import { disableIpv6 } from '../disable-ipv6.js';
import { ChildLinkKind } from './child-link-kind.js';
import type { ChildLinkNetwork } from './child-link-network.js';
import { HostNetlink } from './host-netlink.js';
import { isolatedNamesOf, isTemporaryName } from './link-names.js';
import { readMark, writeMark } from './owner-mark.js';
import { vlanOf } from './parent-name.js';

/** The interfaces that networks lie on. */
@injectable()
export class ParentLinks {
  constructor(
    @inject(ChildLinkKind) private readonly kind: ChildLinkKind,
    @inject(HostNetlink) private readonly netlink: NetlinkSocket,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

  /**
   * Creates the parent of a network when it is missing and can be created: a VLAN of a host interface, or the pair of
   * links under a network without a parent. A host interface is left as it is.
   * @throws EngineError `invalid-argument` for a host interface that does not exist.
   */
  ensure(network: ChildLinkNetwork): void {
    if (this.netlink.link(network.parent) !== undefined) return;
    const { parent } = network.options;
    if (parent === undefined) this.#createIsolatedPair(network);
    else this.#createVlan(parent);
    const created = this.netlink.link(network.parent);
    if (created === undefined) {
      throw unavailable(`the interface ${network.parent} was removed while it was being created`);
    }
    this.netlink.setLink(created.index, { alias: writeMark(this.kind, network.id) });
    this.netlink.setLink(created.index, { up: true });
  }

  /**
   * Waits until a new pair of links has a carrier, which the kernel reports within a second: interfaces that are put on
   * it earlier lose their first packets.
   */
  async waitForCarrier(name: string): Promise<void> {
    const deadline = Date.now() + 1500;
    while (this.netlink.link(name)?.running === false && Date.now() < deadline) await delay(5);
  }

  /** Deletes the parents that the driver created for networks that are not wanted any more, and what a crash left. */
  async removeUnwanted(isWanted: (networkId: string) => boolean): Promise<void> {
    const names = this.netlink.links().flatMap(({ alias, kind, name }) => {
      if (kind === this.kind.name && isTemporaryName(this.kind, name)) return [name];
      const mark = readMark(this.kind, alias);
      return mark === undefined || mark.endpointId !== undefined || isWanted(mark.networkId) ? [] : [name];
    });
    if (names.length === 0) return;
    try {
      await this.netlink.apply((changes) => changes.deleteLinks(names));
    } catch (error) {
      if (!isErrno(error, 'ENODEV')) throw error;
    }
  }

  /** The other end has no use but to give the first one a carrier. */
  #createIsolatedPair({ id, options: { mtu } }: ChildLinkNetwork): void {
    const [name, end] = isolatedNamesOf(this.kind, id);
    const size = mtu !== undefined && { mtu };
    this.netlink.addLink({ kind: 'veth', name, ...size, peer: { name: end, ...size } });
    for (const link of [name, end]) disableIpv6(this.sysctl, link);
    this.netlink.setLink(end, { up: true });
  }

  #createVlan(name: string): void {
    const vlan = vlanOf(name);
    const parent = vlan === undefined ? undefined : this.netlink.link(vlan.link);
    if (vlan === undefined || parent === undefined) {
      throw invalidArgument(`invalid option parent: the host has no interface "${vlan?.link ?? name}"`);
    }
    try {
      this.netlink.addLink({ kind: 'vlan', name, parent: parent.index, id: vlan.id });
    } catch (cause) {
      if (!isErrno(cause, 'EOPNOTSUPP')) throw cause;
      throw unavailable(`the interface ${name} cannot be created: this kernel has no VLANs`, { cause });
    }
  }
}

/** @throws EngineError `forbidden` naming the network that uses the same parent. */
export function refuseSharedParent(network: ChildLinkNetwork, others: Iterable<ChildLinkNetwork>): void {
  for (const other of others) {
    if (other.parent === network.parent) {
      throw forbidden(`network ${other.spec.name} (${other.id}) is already using parent interface ${other.parent}`);
    }
  }
}
