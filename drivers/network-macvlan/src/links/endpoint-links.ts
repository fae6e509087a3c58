import { closeSync } from 'node:fs';
import type { JoinRequest } from '@gantry/core/contracts';
import { Config, inject, injectable } from '@gantry/core/driver';
import { conflict, notFound, unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, type NetlinkSocket, Sysctl, setDefaultRoutes } from '@gantry/lib-linux/netlink';
import { assignAddresses, enableIpv6, openSandbox } from '@gantry/lib-network';
import type { MacvlanConfig } from '../config.js';
import { HostNetlink } from '../host-netlink.js';
import type { MacvlanNetwork } from '../macvlan-network.js';
import { temporaryNameOf } from '../options/names.js';
import { readMark, writeMark } from '../options/owner-mark.js';

interface PlugPlan {
  readonly network: MacvlanNetwork;
  readonly request: JoinRequest;
  readonly macAddress: string;
}

/** The interfaces of endpoints, inside their sandboxes. */
@injectable()
export class EndpointLinks {
  constructor(
    @inject(Config) private readonly config: MacvlanConfig,
    @inject(HostNetlink) private readonly host: NetlinkSocket,
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

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
    const { mode, mtu } = network.options;
    const name = temporaryNameOf(request.endpointId);
    const namespaceFd = openSandbox(this.namespaces, request);
    try {
      this.#removeOrphan(namespaceFd, plan);
      this.host.addLink({
        kind: 'macvlan',
        parent: parent.index,
        mode,
        name,
        macAddress: plan.macAddress,
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
      (inside) => readMark(this.config.owner, inside.link(interfaceName)?.alias)?.endpointId === endpointId,
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
      if (readMark(this.config.owner, existing.alias) === undefined) {
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
          inside.setLink(index, { alias: writeMark(this.config.owner, network.id, request.endpointId) });
          enableIpv6(this.sysctl, interfaceName, request);
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
