import { closeSync } from 'node:fs';
import type { JoinRequest } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, notFound, unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, type NetlinkSocket, Sysctl, setDefaultRoutes } from '@gantry/lib-linux/netlink';
import { assignAddresses, enableIpv6, openSandbox, writeSysctls } from '../sandbox-interface.js';
import { ChildLinkKind } from './child-link-kind.js';
import type { ChildLinkNetwork } from './child-link-network.js';
import { HostNetlink } from './host-netlink.js';
import { temporaryNameOf } from './link-names.js';
import { readMark, writeMark } from './owner-mark.js';

interface PlugPlan {
  readonly network: ChildLinkNetwork;
  readonly request: JoinRequest;
  readonly macAddress: string;
}

/** The interfaces of endpoints, inside their sandboxes. */
@injectable()
export class EndpointLinks {
  constructor(
    @inject(ChildLinkKind) private readonly kind: ChildLinkKind,
    @inject(HostNetlink) private readonly host: NetlinkSocket,
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

  /**
   * Creates and deletes an interface on the network's parent.
   * @throws EngineError `unavailable` when the kernel lacks this kind, `conflict` when the parent carries another.
   */
  async probe(network: ChildLinkNetwork): Promise<void> {
    const { parent, options } = network;
    const name = temporaryNameOf(this.kind, network.id);
    try {
      this.host.addLink({ ...options.link, parent, name });
    } catch (cause) {
      if (isErrno(cause, 'EOPNOTSUPP', 'ENOTSUP')) {
        throw unavailable(`this kernel has no ${this.kind.name}`, { cause });
      }
      if (!isErrno(cause, 'EBUSY')) throw cause;
      throw conflict(`the parent interface ${parent} carries links that exclude ${this.kind.name}`, { cause });
    }
    try {
      await this.host.apply((changes) => changes.deleteLink(name));
    } catch (error) {
      if (!isErrno(error, 'ENODEV')) throw error;
    }
  }

  /**
   * Creates an interface on the network's parent inside a sandbox. Synchronous. On a throw it is removed.
   * @throws EngineError `not-found` when the sandbox is gone, `conflict` when it has an interface of that name.
   */
  plug(plan: PlugPlan): void {
    const { network, request } = plan;
    const parent = this.host.link(network.parent);
    if (parent === undefined) {
      throw notFound(`the interface ${network.parent} of network ${network.spec.name} is gone`);
    }
    const { link, mtu } = network.options;
    const name = temporaryNameOf(this.kind, request.endpointId);
    const namespaceFd = openSandbox(this.namespaces, request);
    try {
      this.#removeOrphan(namespaceFd, plan);
      this.host.addLink({
        ...link,
        parent: parent.index,
        name,
        ...(this.kind.ownHardwareAddress && { macAddress: plan.macAddress }),
        namespaceFd,
        ...(mtu !== undefined && { mtu }),
      });
      this.#configure(namespaceFd, name, plan);
    } catch (cause) {
      throw isErrno(cause, 'ENETDOWN')
        ? unavailable(`the parent interface ${network.parent} is down`, { cause })
        : cause;
    } finally {
      closeSync(namespaceFd);
    }
  }

  /** Whether an endpoint has its interface. Undefined: its sandbox is gone. */
  isPlugged({ sandbox, interfaceName, endpointId }: JoinRequest): boolean | undefined {
    if (!this.namespaces.isNamespace(sandbox.path)) return undefined;
    return this.netlink.use(
      sandbox.path,
      (inside) => readMark(this.kind, inside.link(interfaceName)?.alias)?.endpointId === endpointId,
    );
  }

  /** Deletes an endpoint's interface, off the main thread. Resolves when it or its sandbox is gone already. */
  async unplug(request: JoinRequest): Promise<void> {
    if (this.isPlugged(request) !== true) return;
    const inside = this.netlink.open({ namespace: request.sandbox.path });
    try {
      await inside.apply((changes) => changes.deleteLink(request.interfaceName));
    } catch (error) {
      if (!isErrno(error, 'ENODEV')) throw error;
    } finally {
      inside.close();
    }
  }

  /** Deletes the interface that a killed daemon left of one of its endpoints. */
  #removeOrphan(namespaceFd: number, { request }: PlugPlan): void {
    this.netlink.use(namespaceFd, (inside) => {
      const existing = inside.link(request.interfaceName);
      if (existing === undefined) return;
      if (readMark(this.kind, existing.alias) === undefined) {
        throw conflict(`sandbox ${request.sandbox.id} has an interface ${request.interfaceName}`);
      }
      inside.deleteLink(existing.index);
    });
  }

  /** Sets the name, mark, addresses and routes of a new interface. */
  #configure(namespaceFd: number, temporaryName: string, { network, request }: PlugPlan): void {
    const { interfaceName } = request;
    this.namespaces.runInNetwork(namespaceFd, () =>
      this.netlink.use(undefined, (inside) => {
        const index = inside.link(temporaryName)?.index ?? temporaryName;
        try {
          inside.setLink(index, { name: interfaceName });
          inside.setLink(index, { alias: writeMark(this.kind, network.id, request.endpointId) });
          enableIpv6(this.sysctl, interfaceName, request);
          writeSysctls(this.sysctl, interfaceName, request);
          assignAddresses(inside, index, request);
          inside.setLink(index, { up: true });
          setDefaultRoutes(inside, index, network.defaultGatewaysFor(request));
        } catch (error) {
          inside.deleteLink(index);
          throw error;
        }
      }),
    );
  }
}
