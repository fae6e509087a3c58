import { closeSync } from 'node:fs';
import type { JoinRequest } from '@gantry/core/contracts';
import { conflict, notFound, unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink, type NetlinkSocket, setDefaultRoutes } from '@gantry/lib-linux/netlink';
import { allowIpv6, assignAddresses, openSandbox } from '@gantry/lib-network';
import type { MacvlanNetwork } from '../macvlan-network.js';
import { passingNameOf } from '../options/names.js';
import { readMark, writeMark } from '../options/owner-mark.js';

export interface PlugPlan {
  readonly network: MacvlanNetwork;
  readonly request: JoinRequest;
  readonly macAddress: string;
}

/**
 * Puts an interface on the network's parent into a sandbox. Synchronous. On a throw nothing of it is left.
 * @throws EngineError `not-found` when the sandbox is gone, `conflict` when it has an interface of that name.
 */
export function plug(netlink: NetlinkSocket, owner: string, plan: PlugPlan): void {
  const { network, request } = plan;
  const parent = netlink.link(network.parent);
  if (parent === undefined) throw notFound(`the interface ${network.parent} of network ${network.spec.name} is gone`);
  const { mode, mtu } = network.options;
  const name = passingNameOf(request.endpointId);
  const namespaceFd = openSandbox(request);
  try {
    clearPlace(namespaceFd, owner, plan);
    netlink.addLink({
      kind: 'macvlan',
      parent: parent.index,
      mode,
      name,
      macAddress: plan.macAddress,
      namespaceFd,
      ...(mtu !== undefined && { mtu }),
    });
    settle(namespaceFd, owner, name, plan);
  } catch (cause) {
    throw isErrno(cause, 'ENETDOWN') ? unavailable(`the parent interface ${network.parent} is down`, { cause }) : cause;
  } finally {
    closeSync(namespaceFd);
  }
}

/** Takes away what a daemon that was killed has left of an endpoint of ours. */
function clearPlace(namespaceFd: number, owner: string, { request }: PlugPlan): void {
  kernelNetlink.use(namespaceFd, (inside) => {
    const inTheWay = inside.link(request.interfaceName);
    if (inTheWay === undefined) return;
    if (readMark(owner, inTheWay.alias) === undefined) {
      throw conflict(`sandbox ${request.sandbox.id} has an interface ${request.interfaceName}`);
    }
    inside.deleteLink(inTheWay.index);
  });
}

/** Gives a new interface its name, mark, addresses and routes. */
function settle(namespaceFd: number, owner: string, passingName: string, { network, request }: PlugPlan): void {
  const { interfaceName } = request;
  kernelNamespaces.runInNetwork(namespaceFd, () =>
    kernelNetlink.use(undefined, (inside) => {
      const index = inside.link(passingName)?.index ?? passingName;
      try {
        inside.setLink(index, { name: interfaceName });
        inside.setLink(index, { alias: writeMark(owner, network.id, request.endpointId) });
        allowIpv6(interfaceName, request);
        assignAddresses(inside, index, request);
        inside.setLink(index, { up: true });
        if (request.defaultRoute) setDefaultRoutes(inside, index, network.gatewaysFor(request));
      } catch (error) {
        inside.deleteLink(index);
        throw error;
      }
    }),
  );
}

/** Whether an endpoint has its interface. Undefined: its sandbox is gone. */
export function isPlugged(owner: string, { sandbox, interfaceName, endpointId }: JoinRequest): boolean | undefined {
  if (!kernelNamespaces.isNamespace(sandbox.path)) return undefined;
  return kernelNetlink.use(
    sandbox.path,
    (inside) => readMark(owner, inside.link(interfaceName)?.alias)?.endpointId === endpointId,
  );
}

/** Takes an endpoint's interface away, off the main thread. One that is gone, or its sandbox: resolves. */
export async function unplug(owner: string, request: JoinRequest): Promise<void> {
  if (isPlugged(owner, request) !== true) return;
  const inside = kernelNetlink.open({ namespace: request.sandbox.path });
  try {
    await inside.apply((changes) => changes.deleteLink(request.interfaceName));
  } catch (error) {
    if (!isErrno(error, 'ENODEV')) throw error;
  } finally {
    inside.close();
  }
}
