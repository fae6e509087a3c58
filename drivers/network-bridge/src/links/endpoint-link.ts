import { closeSync } from 'node:fs';
import type { JoinRequest } from '@gantry/core/contracts';
import { conflict, notFound } from '@gantry/core/errors';
import { isErrno } from '@gantry/linux/errors';
import { kernelNamespaces } from '@gantry/linux/namespaces';
import {
  deleteDefaultRoutes,
  kernelNetlink,
  kernelSysctl,
  type NetlinkSocket,
  setDefaultRoutes,
} from '@gantry/linux/netlink';
import type { BridgeNetwork } from '../bridge-network.js';
import { broadcastOf, familyOf } from '../options/address.js';
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

function openSandbox({ sandbox }: JoinRequest): number {
  try {
    return kernelNamespaces.open(sandbox.path);
  } catch (cause) {
    throw isErrno(cause, 'ENOENT') ? notFound(`sandbox ${sandbox.id} not found`, { cause }) : cause;
  }
}

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
  const { ipv4, ipv6, linkLocal = [], defaultRoute } = request;
  const interfaceName = network.interfaceNameFor(request);
  kernelNamespaces.runInNetwork(namespaceFd, () => {
    if (ipv6 !== undefined || linkLocal.some(isIpv6)) allowIpv6(interfaceName);
    kernelNetlink.use(undefined, (inside) => {
      const index = inside.link(interfaceName)?.index ?? interfaceName;
      inside.batch((changes) => {
        if (ipv4 !== undefined) changes.addAddress(index, withBroadcast(ipv4));
        if (ipv6 !== undefined) changes.addAddress(index, { address: ipv6, noDad: true });
        for (const address of linkLocal)
          changes.addAddress(index, isIpv6(address) ? { address, noDad: true } : address);
        changes.setLink(index, { up: true });
      });
      if (defaultRoute) setDefaultRoutes(inside, index, network.gatewaysFor(request));
    });
  });
}

const isIpv6 = (address: string): boolean => familyOf(address) === 'ipv6';

function withBroadcast(address: string): { address: string; broadcast?: string } {
  const broadcast = broadcastOf(address);
  return { address, ...(broadcast !== undefined && { broadcast }) };
}

/** Makes an endpoint the sandbox's way out, or no longer. */
export function changeDefaultRoutes(network: BridgeNetwork, request: JoinRequest): void {
  const change = request.defaultRoute ? setDefaultRoutes : deleteDefaultRoutes;
  kernelNetlink.use(request.sandbox.path, (inside) => {
    change(inside, network.interfaceNameFor(request), network.gatewaysFor(request));
  });
}

/** A sandbox begins without IPv6, on its loopback interface too. */
function allowIpv6(interfaceName: string): void {
  for (const [setting, value] of [
    [`${interfaceName}/accept_ra`, 0],
    [`${interfaceName}/accept_dad`, 0],
    [`${interfaceName}/disable_ipv6`, 0],
    ['lo/disable_ipv6', 0],
  ] as const) {
    const name = `net/ipv6/conf/${setting}`;
    if (kernelSysctl.read(name) !== undefined) kernelSysctl.write(name, value);
  }
}

/** The host's end only passes frames on: an address of its own would be one more thing to talk to. */
function silenceIpv6(veth: string): void {
  const setting = `net/ipv6/conf/${veth}/disable_ipv6`;
  if (kernelSysctl.read(setting) === '0') kernelSysctl.write(setting, 1);
}
