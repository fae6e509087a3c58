import { closeSync } from 'node:fs';
import { inject, injectable } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, Sysctl } from '@gantry/lib-linux/netlink';

/** The two ends of the link between the host and the mesh. */
export const hostLink = 'gantry-mesh';
export const meshLink = 'host0';

/** Link-local (RFC 3927), so that they do not overlap with subnets of networks. */
export const hostAddress = '169.254.215.1';
export const meshAddress = '169.254.215.2';
export const linkSubnet = '169.254.215.0/30';

/** The link over which the host forwards the connections to published ports to the mesh. */
@injectable()
export class MeshLink {
  constructor(
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
  ) {}

  isPresent(): boolean {
    return this.netlink.use(undefined, (host) => host.link(hostLink) !== undefined);
  }

  /** Of the networks that the mesh is on. */
  subnetsBeside(path: string): readonly string[] {
    return this.netlink.use(path, (mesh) => {
      const own = mesh.link(meshLink)?.index;
      const routes = mesh
        .routes()
        .filter(({ family, gateway, link }) => family === 'ipv4' && gateway === undefined && link !== own);
      return [...new Set(routes.map(({ destination }) => destination))];
    });
  }

  /** Creates what is missing of the link. Synchronous. */
  ensure(path: string): void {
    if (this.netlink.use(path, (mesh) => mesh.link(meshLink)?.running === true)) return;
    this.remove();
    const namespaceFd = this.namespaces.open(path);
    try {
      this.netlink.use(undefined, (host) => {
        host.addLink({ kind: 'veth', name: hostLink, peer: { name: meshLink, namespaceFd } });
        host.addAddress(hostLink, `${hostAddress}/30`);
        host.setLink(hostLink, { up: true });
      });
      this.netlink.use(path, (mesh) => {
        mesh.addAddress(meshLink, `${meshAddress}/30`);
        mesh.setLink(meshLink, { up: true });
        mesh.replaceRoute({ destination: 'default', gateway: hostAddress });
      });
    } finally {
      closeSync(namespaceFd);
    }
    this.sysctl.write('net/ipv4/ip_forward', 1, path);
    this.sysctl.write('net/ipv4/ip_forward', 1);
    // Clients on the host's loopback interface: their packets leave it before their address is translated.
    this.sysctl.write(`net/ipv4/conf/${hostLink}/route_localnet`, 1);
  }

  /** Absent: nothing happens. */
  remove(): void {
    try {
      this.netlink.use(undefined, (host) => host.deleteLink(hostLink));
    } catch (error) {
      if (!isErrno(error, 'ENODEV')) throw error;
    }
  }
}
