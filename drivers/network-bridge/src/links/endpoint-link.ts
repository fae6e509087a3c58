import { closeSync } from 'node:fs';
import type { JoinRequest } from '@gantry/core/contracts';
import { conflict, notFound } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink, type NetlinkSocket, setDefaultRoutes } from '@gantry/lib-linux/netlink';
import { allowIpv6, assignAddresses, openSandbox, silenceIpv6 } from '@gantry/lib-network';
import type { BridgeNetwork } from '../bridge-network.js';
import { vethNameOf } from '../options/names.js';
import { readMark, writeMark } from '../options/owner-mark.js';

/** Names may collide; so many in a row do not. */
const mostAttempts = 8;

export interface PlugPlan {
  readonly network: BridgeNetwork;
  readonly request: JoinRequest;
  readonly macAddress: string;
}

/**
 * Connects a sandbox with a bridge by a pair of links. Synchronous, some 1.5 ms. On a throw the pair may be left, under
 * the name that {@link vethOf} finds.
 * @returns the name of the host's end.
 */
export function plug(netlink: NetlinkSocket, owner: string, plan: PlugPlan): string {
  const { network, request } = plan;
  const namespaceFd = openSandbox(request);
  try {
    const veth = addPair(netlink, owner, plan, namespaceFd);
    const { index } = netlink.link(veth) ?? { index: veth };
    const mark = { kind: 'endpoint', networkId: network.id, endpointId: request.endpointId } as const;
    netlink.setLink(index, { alias: writeMark(owner, mark) });
    configureInside(namespaceFd, plan);
    silenceIpv6(veth);
    attach(netlink, network, index);
    return veth;
  } finally {
    closeSync(namespaceFd);
  }
}

/** Puts the host's end of an endpoint on its bridge. */
export function attach(netlink: NetlinkSocket, network: BridgeNetwork, link: string | number): void {
  const bridge = netlink.link(network.bridge);
  if (bridge === undefined) throw notFound(`the bridge ${network.bridge} of network ${network.spec.name} is gone`);
  netlink.batch((changes) => {
    changes.setLink(link, { master: bridge.index, up: true });
    changes.setBridgePort(link, { hairpin: true, isolated: network.isClosed });
  });
}

/** The host's end of an endpoint, as it is marked. */
export const vethOf = (netlink: NetlinkSocket, owner: string, endpointId: string): string | undefined =>
  netlink.links().find(({ alias }) => {
    const mark = readMark(owner, alias);
    return mark?.kind === 'endpoint' && mark.endpointId === endpointId;
  })?.name;

function addPair(netlink: NetlinkSocket, owner: string, plan: PlugPlan, namespaceFd: number): string {
  const { network, request, macAddress } = plan;
  const { mtu } = network;
  const interfaceName = network.interfaceNameFor(request);
  for (let attempt = 0; ; attempt++) {
    const name = vethNameOf(request.endpointId, attempt);
    try {
      netlink.addLink({ kind: 'veth', name, mtu, peer: { name: interfaceName, mtu, macAddress, namespaceFd } });
      return name;
    } catch (cause) {
      if (!isErrno(cause, 'EEXIST')) throw cause;
      const inTheWay = netlink.link(name);
      if (inTheWay === undefined || attempt === mostAttempts) {
        throw conflict(`sandbox ${request.sandbox.id} has an interface ${interfaceName}`, { cause });
      }
      const mark = readMark(owner, inTheWay.alias);
      // What a daemon that was killed has left of this very endpoint.
      if (mark?.kind === 'endpoint' && mark.endpointId === request.endpointId) {
        netlink.deleteLink(name);
        attempt--;
      }
    }
  }
}

function configureInside(namespaceFd: number, { network, request }: PlugPlan): void {
  const interfaceName = network.interfaceNameFor(request);
  kernelNamespaces.runInNetwork(namespaceFd, () => {
    allowIpv6(interfaceName, request);
    kernelNetlink.use(undefined, (inside) => {
      const index = inside.link(interfaceName)?.index ?? interfaceName;
      inside.batch((changes) => {
        assignAddresses(changes, index, request);
        changes.setLink(index, { up: true });
      });
      if (request.defaultRoute) setDefaultRoutes(inside, index, network.gatewaysFor(request));
    });
  });
}
