import { setTimeout as delay } from 'node:timers/promises';
import { forbidden, invalidArgument, unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import type { Link, NetlinkSocket } from '@gantry/lib-linux/netlink';
import { silenceIpv6 } from '@gantry/lib-network';
import type { MacvlanNetwork } from '../macvlan-network.js';
import { vlanOf } from '../options/macvlan-options.js';
import { islandNamesOf } from '../options/names.js';
import { readMark, writeMark } from '../options/owner-mark.js';

/**
 * Sees to it that there is an interface under a network. One that the network names is the host's and left as it is; a
 * VLAN of one and the interface of a network without a parent are made when they are missing.
 * @throws EngineError `invalid-argument` for a parent that is not there.
 */
export function ensureParent(netlink: NetlinkSocket, owner: string, network: MacvlanNetwork): void {
  if (netlink.link(network.parent) !== undefined) return;
  const { parent } = network.options;
  if (parent === undefined) makeIsland(netlink, network);
  else makeVlan(netlink, parent);
  const made = netlink.link(network.parent);
  if (made === undefined) throw unavailable(`the interface ${network.parent} was taken away as it was made`);
  netlink.setLink(made.index, { alias: writeMark(owner, network.id) });
  netlink.setLink(made.index, { up: true });
}

/** A pair of links whose other end nobody listens at: with a carrier, so that the interfaces on it have one. */
function makeIsland(netlink: NetlinkSocket, { id, options: { mtu } }: MacvlanNetwork): void {
  const [name, end] = islandNamesOf(id);
  const size = mtu !== undefined && { mtu };
  netlink.addLink({ kind: 'veth', name, ...size, peer: { name: end, ...size } });
  for (const link of [name, end]) silenceIpv6(link);
  netlink.setLink(end, { up: true });
}

/**
 * The kernel notices within a second that a new pair of links is connected. What is put on it before then loses its
 * first packets.
 */
export async function untilRunning(netlink: NetlinkSocket, name: string): Promise<void> {
  const deadline = Date.now() + 1500;
  while (netlink.link(name)?.running === false && Date.now() < deadline) await delay(5);
}

function makeVlan(netlink: NetlinkSocket, name: string): void {
  const vlan = vlanOf(name);
  const under = vlan === undefined ? undefined : netlink.link(vlan.link);
  if (vlan === undefined || under === undefined) {
    throw invalidArgument(`invalid option parent: the host has no interface "${vlan?.link ?? name}"`);
  }
  try {
    netlink.addLink({ kind: 'vlan', name, parent: under.index, id: vlan.id });
  } catch (cause) {
    if (!isErrno(cause, 'EOPNOTSUPP')) throw cause;
    throw unavailable(`the interface ${name} cannot be made: this kernel has no VLANs`, { cause });
  }
}

/** The interfaces under networks that this driver has made and that are no longer wanted. */
export const findOwnParents = (
  netlink: NetlinkSocket,
  owner: string,
  isWanted: (networkId: string) => boolean,
): readonly Link[] =>
  netlink.links().filter(({ alias }) => {
    const mark = readMark(owner, alias);
    return mark !== undefined && mark.endpointId === undefined && !isWanted(mark.networkId);
  });

/** @throws EngineError `forbidden` naming the network that lies on the same interface. */
export function refuseSharedParent(network: MacvlanNetwork, others: Iterable<MacvlanNetwork>): void {
  for (const other of others) {
    if (other.parent === network.parent) {
      throw forbidden(`network ${other.spec.name} (${other.id}) is already using parent interface ${other.parent}`);
    }
  }
}
