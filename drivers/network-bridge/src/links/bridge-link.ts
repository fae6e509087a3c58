import { forbidden } from '@gantry/core/errors';
import type { Link, NetlinkSocket } from '@gantry/lib-linux/netlink';
import { kernelSysctl } from '@gantry/lib-linux/netlink';
import { familyOf } from '@gantry/lib-network';
import type { BridgeNetwork } from '../bridge-network.js';
import { bridgeMacOf } from '../options/names.js';
import { readMark, writeMark } from '../options/owner-mark.js';

/**
 * Makes a network's bridge what it should be: there, up, with the gateways' addresses. A bridge that somebody else made
 * is used and keeps its other addresses; one of our own loses those that are not its any more.
 * @throws EngineError `forbidden` when an interface of that name is no bridge, or another network's.
 */
export function ensureBridge(netlink: NetlinkSocket, owner: string, network: BridgeNetwork): void {
  const found = netlink.link(network.bridge);
  const link = found === undefined ? makeBridge(netlink, owner, network) : found;
  if (link.kind !== 'bridge') {
    throw forbidden(`cannot create network ${network.spec.name}: the interface ${network.bridge} is not a bridge`);
  }
  const mark = readMark(owner, link.alias);
  if (mark !== undefined && (mark.kind !== 'network' || mark.networkId !== network.id)) {
    throw forbidden(
      `cannot create network ${network.id} (${network.bridge}): conflicts with network ${mark.networkId}` +
        ` (${network.bridge}): networks have same bridge name`,
    );
  }
  configure(network);
  setAddresses(netlink, link, network.gateways, mark !== undefined);
  netlink.setLink(link.index, { up: true });
}

function makeBridge(netlink: NetlinkSocket, owner: string, network: BridgeNetwork): Link {
  const { bridge, mtu } = network;
  netlink.addLink({ kind: 'bridge', name: bridge, mtu, macAddress: bridgeMacOf(network.id) });
  const made = netlink.link(bridge);
  if (made === undefined) throw new Error(`the bridge ${bridge} was taken away as it was made`);
  const alias = writeMark(owner, { kind: 'network', networkId: network.id });
  netlink.setLink(made.index, { alias });
  return { ...made, alias };
}

/** Settings of the kernel for an interface: before it is up, so that nothing happens that they forbid. */
function configure({ bridge, spec, isClosed }: BridgeNetwork): void {
  const set = (setting: string, value: number): void => {
    if (kernelSysctl.read(setting) !== undefined) kernelSysctl.write(setting, value);
  };
  set(`net/ipv6/conf/${bridge}/disable_ipv6`, spec.ipv6 ? 0 : 1);
  // Its own addresses are nobody else's: the second it takes to make sure would be lost to the first container.
  set(`net/ipv6/conf/${bridge}/accept_dad`, 0);
  // Whoever is on the bridge could pretend to be a router.
  set(`net/ipv6/conf/${bridge}/accept_ra`, 0);
  // Connections to published ports at 127.0.0.1 come from there.
  set(`net/ipv4/conf/${bridge}/route_localnet`, 1);
  // Ports of a closed network do not see each other; the host answers for them, and forwards what links allow.
  set(`net/ipv4/conf/${bridge}/proxy_arp_pvlan`, isClosed ? 1 : 0);
  if (!isClosed) return;
  set(`net/ipv4/neigh/${bridge}/proxy_delay`, 0);
  set(`net/ipv4/conf/${bridge}/send_redirects`, 0);
}

function setAddresses(netlink: NetlinkSocket, link: Link, wanted: readonly string[], isOwn: boolean): void {
  const present = netlink.addresses(link.index).filter(({ scope }) => scope !== 'link');
  for (const { address } of present) {
    if (isOwn && !wanted.includes(address)) netlink.deleteAddress(link.index, address);
  }
  for (const address of wanted) {
    if (present.some((other) => other.address === address)) continue;
    netlink.addAddress(link.index, familyOf(address) === 'ipv6' ? { address, noDad: true } : address);
  }
}

/** The bridge to be deleted with its network: one that the engine made. */
export function removableBridge(
  netlink: NetlinkSocket,
  owner: string,
  { bridge, id }: BridgeNetwork,
): string | undefined {
  const mark = readMark(owner, netlink.link(bridge)?.alias);
  return mark?.kind === 'network' && mark.networkId === id ? bridge : undefined;
}

/** Whether a bridge is there with what published ports need. Microseconds. */
export const isIntact = ({ bridge }: BridgeNetwork): boolean =>
  kernelSysctl.read(`net/ipv4/conf/${bridge}/route_localnet`) === '1';
