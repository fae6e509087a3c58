import { closeSync } from 'node:fs';
import type { JoinRequest } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { deleteDefaultRoutes, Netlink, type NetlinkSocket, Sysctl } from '@gantry/lib-linux/netlink';
import { carriesRoute, openSandbox, withInterfacePrefix, writeSysctls } from '@gantry/lib-network';
import type { InterfacePlacement } from './interface-placement.js';
import type { JoinAnswer } from './parse-join-answer.js';

const nameInside = ({ interfaceName, hasChosenName = false }: JoinRequest, { prefix }: JoinAnswer): string =>
  hasChosenName ? interfaceName : withInterfacePrefix(interfaceName, prefix);

/** Places interfaces through netlink. */
@injectable()
export class KernelPlacement implements InterfacePlacement {
  constructor(
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

  place(request: JoinRequest, answer: JoinAnswer): void {
    const { sourceName } = answer;
    if (sourceName === undefined) return;
    const sandbox = openSandbox(this.namespaces, request);
    try {
      this.netlink.use(undefined, (host) => {
        const link = host.link(sourceName);
        if (link === undefined) throw internal(`NetworkDriver.Join: there is no interface "${sourceName}" on the host`);
        host.setLink(link.index, { up: false });
        host.setLink(link.index, { namespaceFd: sandbox });
      });
      this.namespaces.runInNetwork(sandbox, () => {
        this.netlink.use(undefined, (inside) => this.#configure(inside, request, answer, sourceName));
      });
    } finally {
      closeSync(sandbox);
    }
  }

  changeDefaultRoute(request: JoinRequest, answer: JoinAnswer): void {
    this.netlink.use(request.sandbox.path, (inside) => {
      addDefaultRoutes(inside, request, answer);
      const others = gateways(answer).filter((gateway) => !carriesRoute(request.defaultRoute, gateway));
      deleteDefaultRoutes(inside, nameInside(request, answer), others);
    });
  }

  restore(request: JoinRequest, answer: JoinAnswer): void {
    const { sourceName } = answer;
    if (sourceName === undefined) return;
    const host = this.namespaces.open('/proc/self/ns/net');
    try {
      this.netlink.use(request.sandbox.path, (inside) => {
        const link = inside.link(nameInside(request, answer));
        if (link === undefined) return;
        inside.setLink(link.index, { up: false, name: sourceName });
        inside.setLink(link.index, { namespaceFd: host });
      });
    } catch (error) {
      // The sandbox is gone already; the kernel has deleted or moved the interface.
      if (!isErrno(error, 'ENOENT', 'ENODEV', 'EINVAL')) throw error;
    } finally {
      closeSync(host);
    }
  }

  #configure(inside: NetlinkSocket, request: JoinRequest, answer: JoinAnswer, sourceName: string): void {
    const { ipv4, ipv6, macAddress } = request;
    const name = nameInside(request, answer);
    const { index } = inside.link(sourceName) ?? {};
    if (index === undefined) throw internal(`the interface "${sourceName}" did not arrive in the sandbox`);
    inside.setLink(index, { name, ...(macAddress !== undefined && { macAddress }) });
    if (ipv6 !== undefined) {
      for (const setting of [`${name}/disable_ipv6`, 'lo/disable_ipv6']) {
        const path = `net/ipv6/conf/${setting}`;
        if (this.sysctl.read(path) !== undefined) this.sysctl.write(path, 0);
      }
    }
    writeSysctls(this.sysctl, name, request);
    if (ipv4 !== undefined) inside.addAddress(index, ipv4);
    if (ipv6 !== undefined) inside.addAddress(index, { address: ipv6, noDad: true });
    inside.setLink(index, { up: true });
    for (const { destination, nextHop } of answer.routes) {
      inside.replaceRoute({ destination, link: index, ...(nextHop !== undefined && { gateway: nextHop }) });
    }
    addDefaultRoutes(inside, request, answer);
  }
}

const gateways = ({ gateway, ipv6Gateway }: JoinAnswer): readonly string[] =>
  [gateway, ipv6Gateway].flatMap((address) => address ?? []);

function addDefaultRoutes(inside: NetlinkSocket, request: JoinRequest, answer: JoinAnswer): void {
  for (const gateway of gateways(answer)) {
    if (!carriesRoute(request.defaultRoute, gateway)) continue;
    inside.replaceRoute({ destination: 'default', gateway, link: nameInside(request, answer), onLink: true });
  }
}
