import { closeSync } from 'node:fs';
import type { JoinRequest } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, type NetlinkSocket, Sysctl } from '@gantry/lib-linux/netlink';
import { assignAddresses, enableIpv6, openSandbox, writeSysctls } from '@gantry/lib-network';
import type { OverlayNetwork } from '../overlay-network.js';
import { bridgeName, vethNameOf } from './names.js';

interface PlugPlan {
  readonly network: OverlayNetwork;
  readonly request: JoinRequest;
  readonly macAddress: string;
}

/** The veth pairs that connect sandboxes with the bridges of networks. */
@injectable()
export class EndpointLinks {
  constructor(
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

  /** Connects a sandbox with a network. Synchronous. On a throw the pair may be left, under the endpoint's name. */
  plug(plan: PlugPlan): void {
    const { network, request } = plan;
    const namespaceFd = openSandbox(this.namespaces, request);
    try {
      this.netlink.use(network.path, (bridgeSide) => {
        this.#addPair(bridgeSide, plan, namespaceFd);
        crashPoint('overlay.endpoint.linked');
        this.#configureInside(namespaceFd, plan);
        bridgeSide.setLink(vethNameOf(request.endpointId), { master: bridgeName, up: true });
      });
    } finally {
      closeSync(namespaceFd);
    }
  }

  /** Deletes the link of an endpoint. Absent: resolves. */
  async unplug({ path }: OverlayNetwork, endpointId: string): Promise<void> {
    await this.#delete(path, [vethNameOf(endpointId)]);
  }

  /** Deletes the links of all endpoints but these. @returns the endpoints that have none. */
  async removeOrphans({ path }: OverlayNetwork, endpointIds: readonly string[]): Promise<readonly string[]> {
    const links = this.netlink.use(path, (inside) => inside.links().filter(({ kind }) => kind === 'veth'));
    const present = new Set(links.map(({ name }) => name));
    const wanted = new Set(endpointIds.map(vethNameOf));
    const orphans = [...present].filter((name) => !wanted.has(name));
    if (orphans.length > 0) await this.#delete(path, orphans);
    // A pair that is not on the bridge was not finished.
    const connected = new Set(links.filter(({ master }) => master !== undefined).map(({ name }) => name));
    return endpointIds.filter((id) => !connected.has(vethNameOf(id)));
  }

  async #delete(path: string, names: readonly string[]): Promise<void> {
    if (!this.namespaces.isNamespace(path)) return;
    const inside = this.netlink.open({ namespace: path });
    try {
      await inside.apply((changes) => changes.deleteLinks(names));
    } catch (error) {
      if (!isErrno(error, 'ENODEV')) throw error;
    } finally {
      inside.close();
    }
  }

  #addPair(bridgeSide: NetlinkSocket, { macAddress, network, request }: PlugPlan, namespaceFd: number): void {
    const { mtu } = network;
    const name = vethNameOf(request.endpointId);
    // An orphan of this very endpoint, from a daemon that was killed.
    if (bridgeSide.link(name) !== undefined) bridgeSide.deleteLink(name);
    const peer = { name: request.interfaceName, mtu, macAddress, namespaceFd };
    try {
      bridgeSide.addLink({ kind: 'veth', name, mtu, peer });
    } catch (cause) {
      if (!isErrno(cause, 'EEXIST')) throw cause;
      throw conflict(`sandbox ${request.sandbox.id} has an interface ${request.interfaceName}`, { cause });
    }
  }

  #configureInside(namespaceFd: number, { network, request }: PlugPlan): void {
    const { interfaceName } = request;
    this.namespaces.runInNetwork(namespaceFd, () => {
      enableIpv6(this.sysctl, interfaceName, request);
      writeSysctls(this.sysctl, interfaceName, request);
      this.netlink.use(undefined, (inside) => {
        const index = inside.link(interfaceName)?.index ?? interfaceName;
        inside.batch((changes) => {
          assignAddresses(changes, index, request);
          changes.setLink(index, { up: true });
          for (const destination of network.subnetsBeside(request.ipv4)) {
            changes.replaceRoute({ destination, link: index, scope: 'link' });
          }
        });
      });
    });
  }
}
