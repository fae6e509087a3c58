import type { NetworkPeer, TunnelKey } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux/errors';
import { Netlink, type NetlinkSocket } from '@gantry/lib-linux/netlink';
import { EncryptedTunnels } from '../encryption/encrypted-tunnels.js';
import { tunnelName } from '../links/names.js';
import type { OverlayNetwork } from '../overlay-network.js';

/** Entries of the kernel for the endpoints of other nodes: their MAC addresses, the nodes behind the tunnel, and its keys. */
@injectable()
export class PeerTable {
  constructor(
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(EncryptedTunnels) private readonly encryption: EncryptedTunnels,
  ) {}

  /** Makes the kernel's entries those of the network's peers. @returns how many entries differed. */
  repair(network: OverlayNetwork): number {
    const { path, peerSet, tunnel } = network;
    const changes = network.isEncrypted ? this.encryption.repair() : 0;
    if (peerSet === undefined || tunnel === undefined) return changes;
    const peers = peerSet.peers.filter(({ node }) => node !== tunnel.address);
    return this.netlink.use(path, (inside) => {
      const index = inside.link(tunnelName)?.index;
      if (index === undefined) return changes;
      return changes + repairNeighbours(inside, index, peers) + repairForwarding(inside, index, peers);
    });
  }

  useKeys(keys: readonly TunnelKey[]): void {
    this.encryption.useKeys(keys);
  }

  /** Releases what no network needs any more. */
  removeUnused(): void {
    this.encryption.repair();
  }
}

/** Addresses of endpoints: the tunnel answers questions for them. */
function repairNeighbours(inside: NetlinkSocket, link: number, peers: readonly NetworkPeer[]): number {
  const wanted = new Map(peers.map(({ address, macAddress }) => [address, macAddress]));
  let changes = 0;
  for (const { address, macAddress } of inside.neighbours({ link })) {
    // Of IPv6 the kernel has entries of its own, for multicast.
    if (address === undefined || macAddress === undefined || address.includes(':')) continue;
    if (wanted.get(address) === macAddress) wanted.delete(address);
    else if (!wanted.has(address)) changes += attempt(() => inside.deleteNeighbour({ link, address, macAddress }));
  }
  for (const [address, macAddress] of wanted) {
    inside.addNeighbour({ link, address, macAddress });
    changes++;
  }
  return changes;
}

/** Nodes behind the tunnel, by MAC addresses of endpoints. */
function repairForwarding(inside: NetlinkSocket, link: number, peers: readonly NetworkPeer[]): number {
  const wanted = new Map(peers.map(({ macAddress, node }) => [macAddress, node]));
  let changes = 0;
  for (const { address, macAddress } of inside.neighbours({ link, table: 'bridge' })) {
    // Those without an address are the bridge's.
    if (address === undefined || macAddress === undefined) continue;
    if (wanted.get(macAddress) === address) wanted.delete(macAddress);
    else changes += attempt(() => inside.deleteNeighbour({ link, table: 'bridge', address, macAddress }));
  }
  for (const [macAddress, address] of wanted) {
    inside.addNeighbour({ link, table: 'bridge', address, macAddress });
    changes++;
  }
  return changes;
}

/** Something else may have deleted the entry meanwhile. */
function attempt(remove: () => void): number {
  try {
    remove();
    return 1;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return 0;
    throw error;
  }
}
