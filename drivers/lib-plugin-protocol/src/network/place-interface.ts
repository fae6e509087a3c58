import { closeSync } from 'node:fs';
import type { JoinRequest } from '@gantry/core/contracts';
import { internal } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { deleteDefaultRoutes, kernelNetlink, kernelSysctl, type NetlinkSocket } from '@gantry/lib-linux/netlink';
import { openSandbox, withInterfacePrefix } from '@gantry/lib-network';
import type { JoinAnswer } from './join-answer.js';

/** Puts interfaces that plugins have made where they belong. A port, so that tests need no kernel. */
export interface InterfacePlacement {
  /**
   * Moves the interface from the host into the sandbox, with name, addresses and routes. One that is inside already
   * gets what it lacks. Rejects `not-found` without the sandbox, `internal` without the interface.
   */
  place(request: JoinRequest, answer: JoinAnswer): void;
  /** Makes the endpoint the sandbox's way out, or no longer. */
  changeDefaultRoute(request: JoinRequest, answer: JoinAnswer): void;
  /** Moves the interface back to the host, for the plugin to remove. Gone already: returns. */
  takeBack(request: JoinRequest, answer: JoinAnswer): void;
}

const nameInside = ({ interfaceName }: JoinRequest, { prefix }: JoinAnswer): string =>
  withInterfacePrefix(interfaceName, prefix);

export const kernelPlacement: InterfacePlacement = {
  place(request, answer) {
    const { sourceName } = answer;
    if (sourceName === undefined) return;
    const sandbox = openSandbox(kernelNamespaces, request);
    try {
      kernelNetlink.use(undefined, (host) => {
        const link = host.link(sourceName);
        if (link === undefined) throw internal(`NetworkDriver.Join: there is no interface "${sourceName}" on the host`);
        host.setLink(link.index, { up: false });
        host.setLink(link.index, { namespaceFd: sandbox });
      });
      kernelNamespaces.runInNetwork(sandbox, () => {
        kernelNetlink.use(undefined, (inside) => configure(inside, request, answer, sourceName));
      });
    } finally {
      closeSync(sandbox);
    }
  },

  changeDefaultRoute(request, answer) {
    kernelNetlink.use(request.sandbox.path, (inside) => {
      if (request.defaultRoute) addDefaultRoutes(inside, request, answer);
      else deleteDefaultRoutes(inside, nameInside(request, answer), gateways(answer));
    });
  },

  takeBack(request, answer) {
    const { sourceName } = answer;
    if (sourceName === undefined) return;
    const host = kernelNamespaces.open('/proc/self/ns/net');
    try {
      kernelNetlink.use(request.sandbox.path, (inside) => {
        const link = inside.link(nameInside(request, answer));
        if (link === undefined) return;
        inside.setLink(link.index, { up: false, name: sourceName });
        inside.setLink(link.index, { namespaceFd: host });
      });
    } catch (error) {
      // The sandbox went first, and the interface with it or back by itself.
      if (!isErrno(error, 'ENOENT', 'ENODEV', 'EINVAL')) throw error;
    } finally {
      closeSync(host);
    }
  },
};

function configure(inside: NetlinkSocket, request: JoinRequest, answer: JoinAnswer, sourceName: string): void {
  const { ipv4, ipv6, macAddress } = request;
  const name = nameInside(request, answer);
  const { index } = inside.link(sourceName) ?? {};
  if (index === undefined) throw internal(`the interface "${sourceName}" did not arrive in the sandbox`);
  inside.setLink(index, { name, ...(macAddress !== undefined && { macAddress }) });
  if (ipv6 !== undefined) {
    for (const setting of [`${name}/disable_ipv6`, 'lo/disable_ipv6']) {
      const path = `net/ipv6/conf/${setting}`;
      if (kernelSysctl.read(path) !== undefined) kernelSysctl.write(path, 0);
    }
  }
  if (ipv4 !== undefined) inside.addAddress(index, ipv4);
  if (ipv6 !== undefined) inside.addAddress(index, { address: ipv6, noDad: true });
  inside.setLink(index, { up: true });
  for (const { destination, nextHop } of answer.routes) {
    inside.replaceRoute({ destination, link: index, ...(nextHop !== undefined && { gateway: nextHop }) });
  }
  if (request.defaultRoute) addDefaultRoutes(inside, request, answer);
}

const gateways = ({ gateway, ipv6Gateway }: JoinAnswer): readonly string[] =>
  [gateway, ipv6Gateway].flatMap((address) => address ?? []);

function addDefaultRoutes(inside: NetlinkSocket, request: JoinRequest, answer: JoinAnswer): void {
  for (const gateway of gateways(answer)) {
    inside.replaceRoute({ destination: 'default', gateway, link: nameInside(request, answer), onLink: true });
  }
}
