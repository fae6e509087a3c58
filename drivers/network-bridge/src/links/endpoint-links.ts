import { closeSync } from 'node:fs';
import type { JoinRequest } from '@gantry/core/contracts';
import { Config, inject, injectable } from '@gantry/core/driver';
import { conflict, notFound, unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink, type NetlinkSocket, Sysctl, setDefaultRoutes } from '@gantry/lib-linux/netlink';
import { assignAddresses, disableIpv6, enableIpv6, openSandbox, writeSysctls } from '@gantry/lib-network';
import type { BridgeNetwork } from '../bridge-network.js';
import type { BridgeConfig } from '../config.js';
import { HostNetlink } from '../kernel-sessions.js';
import { vethNameOf } from '../options/names.js';
import { readMark, writeMark } from '../options/owner-mark.js';

/** Names of links may collide; a series of this length does not. */
const maxAttempts = 8;

/** EXFULL, for which Node has no name: all ports of the bridge are in use. */
const exchangeFull = 'ERRNO54';

interface PlugPlan {
  readonly network: BridgeNetwork;
  readonly request: JoinRequest;
  readonly macAddress: string;
}

/** The veth pairs that connect sandboxes with bridges. */
@injectable()
export class EndpointLinks {
  constructor(
    @inject(Config) private readonly config: BridgeConfig,
    @inject(HostNetlink) private readonly host: NetlinkSocket,
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

  /**
   * Connects a sandbox with a bridge by a veth pair. Synchronous, some 1.5 ms. On a throw the pair may be left, under
   * the name that {@link vethOf} finds.
   * @returns the name of the host's end.
   */
  plug(plan: PlugPlan): string {
    const { network, request } = plan;
    const namespaceFd = openSandbox(this.namespaces, request);
    try {
      const veth = this.#addPair(plan, namespaceFd);
      const { index } = this.host.link(veth) ?? { index: veth };
      const mark = { kind: 'endpoint', networkId: network.id, endpointId: request.endpointId } as const;
      this.host.setLink(index, { alias: writeMark(this.config.table, mark) });
      this.#configureInside(namespaceFd, plan);
      disableIpv6(this.sysctl, veth);
      this.attach(network, index);
      return veth;
    } finally {
      closeSync(namespaceFd);
    }
  }

  /** Attaches the host's end of an endpoint to its bridge. @throws EngineError `unavailable` when that has no port left. */
  attach(network: BridgeNetwork, link: string | number): void {
    const bridge = this.host.link(network.bridge);
    if (bridge === undefined) throw notFound(`the bridge ${network.bridge} of network ${network.spec.name} is gone`);
    try {
      this.host.batch((changes) => {
        changes.setLink(link, { master: bridge.index, up: true });
        changes.setBridgePort(link, { hairpin: true, isolated: network.isClosed });
      });
    } catch (error) {
      if (!isErrno(error, exchangeFull)) throw error;
      const { name } = network.spec;
      const message = `network ${name} is full: a Linux bridge has 1023 ports, and all of ${network.bridge} are in use`;
      throw unavailable(message, { cause: error });
    }
  }

  /** The host's end of an endpoint, found by its mark. */
  vethOf(endpointId: string): string | undefined {
    return this.host.links().find(({ alias }) => this.#isOf(endpointId, alias))?.name;
  }

  #addPair({ network, request, macAddress }: PlugPlan, namespaceFd: number): string {
    const { mtu } = network;
    const interfaceName = network.interfaceNameFor(request);
    for (let attempt = 0; ; attempt++) {
      const name = vethNameOf(request.endpointId, attempt);
      try {
        this.host.addLink({ kind: 'veth', name, mtu, peer: { name: interfaceName, mtu, macAddress, namespaceFd } });
        return name;
      } catch (cause) {
        if (!isErrno(cause, 'EEXIST')) throw cause;
        const existing = this.host.link(name);
        if (existing === undefined || attempt === maxAttempts) {
          throw conflict(`sandbox ${request.sandbox.id} has an interface ${interfaceName}`, { cause });
        }
        // An orphan of this very endpoint, from a daemon that was killed: replaced under the same name.
        if (this.#isOf(request.endpointId, existing.alias)) {
          this.host.deleteLink(name);
          attempt--;
        }
      }
    }
  }

  #configureInside(namespaceFd: number, { network, request }: PlugPlan): void {
    const interfaceName = network.interfaceNameFor(request);
    this.namespaces.runInNetwork(namespaceFd, () => {
      enableIpv6(this.sysctl, interfaceName, request);
      writeSysctls(this.sysctl, interfaceName, request);
      this.netlink.use(undefined, (inside) => {
        const index = inside.link(interfaceName)?.index ?? interfaceName;
        inside.batch((changes) => {
          assignAddresses(changes, index, request);
          changes.setLink(index, { up: true });
        });
        setDefaultRoutes(inside, index, network.defaultGatewaysFor(request));
      });
    });
  }

  #isOf(endpointId: string, alias: string | undefined): boolean {
    const mark = readMark(this.config.table, alias);
    return mark?.kind === 'endpoint' && mark.endpointId === endpointId;
  }
}
