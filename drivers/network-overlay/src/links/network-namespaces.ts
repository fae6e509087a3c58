import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkTunnel } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, type NetlinkSocket } from '@gantry/lib-linux/netlink';
import { EncryptedTunnels } from '../encryption/encrypted-tunnels.js';
import { HostNetlink } from '../host-netlink.js';
import type { OverlayNetwork } from '../overlay-network.js';
import { bridgeName, tunnelName } from './names.js';

/**
 * The namespaces of networks. Each has a bridge with the containers' links and the tunnel, out of reach of the host's own
 * routes and rules. The tunnel sends its packets from the host's namespace, where it was created.
 */
@injectable()
export class NetworkNamespaces {
  readonly #directory: string;

  constructor(
    @inject(PackageDirectories) { state }: PackageDirectories,
    @inject(HostNetlink) private readonly host: NetlinkSocket,
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(EncryptedTunnels) private readonly encryption: EncryptedTunnels,
  ) {
    this.#directory = join(state, 'networks');
  }

  pathOf(networkId: string): string {
    return join(this.#directory, fileNameOf(networkId));
  }

  /** Creates what is missing of a network: its namespace, bridge and tunnel. Synchronous. */
  ensure(network: OverlayNetwork): void {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const { path, tunnel } = network;
    if (tunnel !== undefined && network.isEncrypted) this.encryption.protect(tunnel);
    if (!this.namespaces.isNamespace(path)) {
      this.namespaces.removeNetwork(path); // the empty file that a reboot has left
      this.namespaces.createNetwork(path);
      crashPoint('overlay.namespace.created');
    }
    this.netlink.use(path, (inside) => {
      this.#ensureBridge(inside, network);
      if (tunnel !== undefined) this.#ensureTunnel(inside, network, tunnel);
    });
  }

  /** Whether the tunnel that a network needs is there. */
  isIntact({ path, tunnel }: OverlayNetwork): boolean {
    if (!this.namespaces.isNamespace(path)) return false;
    return tunnel === undefined || this.netlink.use(path, (inside) => inside.link(tunnelName) !== undefined);
  }

  /** Deletes a namespace with everything in it. Absent: resolves. */
  async remove(path: string): Promise<void> {
    if (this.namespaces.isNamespace(path)) {
      // The kernel takes its time to delete the links of a namespace, and until then the number of the tunnel is taken.
      const inside = this.netlink.open({ namespace: path });
      try {
        if (inside.link(tunnelName) !== undefined) await inside.apply((changes) => changes.deleteLink(tunnelName));
      } finally {
        inside.close();
      }
      crashPoint('overlay.tunnel.deleted');
    }
    this.namespaces.removeNetwork(path);
  }

  /** Deletes the namespaces of all networks but these. */
  async removeOrphans(networkIds: Iterable<string>): Promise<void> {
    const wanted = new Set(Array.from(networkIds, fileNameOf));
    for (const name of this.#names()) if (!wanted.has(name)) await this.remove(join(this.#directory, name));
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#directory);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return [];
      throw error;
    }
  }

  #ensureBridge(inside: NetlinkSocket, { mtu }: OverlayNetwork): void {
    if (inside.link(bridgeName) === undefined) {
      inside.addLink({ kind: 'bridge', name: bridgeName, mtu, multicastSnooping: false });
    }
    inside.setLink('lo', { up: true });
    inside.setLink(bridgeName, { up: true, mtu });
  }

  /** One with another number, port or address is replaced. */
  #ensureTunnel(inside: NetlinkSocket, network: OverlayNetwork, tunnel: NetworkTunnel): void {
    const alias = `${tunnel.id} ${tunnel.port} ${tunnel.address}`;
    const present = inside.link(tunnelName);
    if (present !== undefined && present.alias !== alias) inside.deleteLink(tunnelName);
    if (present?.alias !== alias) this.#addTunnel(network, tunnel);
    crashPoint('overlay.tunnel.created');
    inside.setLink(tunnelName, { alias, master: bridgeName });
    inside.setLink(tunnelName, { up: true });
  }

  #addTunnel({ mtu, path, spec }: OverlayNetwork, { id, port, address: local }: NetworkTunnel): void {
    const namespaceFd = this.namespaces.open(path);
    try {
      // It answers questions for addresses of peers by itself, and learns no address from packets.
      const settings = { learning: false, proxy: true, id, port, local, mtu, namespaceFd };
      this.host.addLink({ kind: 'vxlan', name: tunnelName, ...settings });
    } catch (cause) {
      if (!isErrno(cause, 'EEXIST')) throw cause;
      throw conflict(`network ${spec.name}: another program on this host uses VXLAN ${id} on port ${port}`, { cause });
    } finally {
      closeSync(namespaceFd);
    }
  }
}

const fileNameOf = (networkId: string): string =>
  /^[a-zA-Z0-9]{1,128}$/.test(networkId) ? networkId : createHash('sha256').update(networkId).digest('hex');
