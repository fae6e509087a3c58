import type { JoinRequest } from '@gantry/core/contracts';
import { notFound } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import {
  deleteDefaultRoutes,
  kernelNetlink,
  kernelSysctl,
  type NetworkChanges,
  setDefaultRoutes,
} from '@gantry/lib-linux/netlink';
import { familyOf } from './address.js';

type Addresses = Pick<JoinRequest, 'ipv4' | 'ipv6' | 'linkLocal'>;

/**
 * A descriptor of a sandbox's namespace, the caller's to close.
 * @throws EngineError `not-found` when the sandbox is gone.
 */
export function openSandbox({ sandbox }: JoinRequest): number {
  try {
    return kernelNamespaces.open(sandbox.path);
  } catch (cause) {
    throw isErrno(cause, 'ENOENT') ? notFound(`sandbox ${sandbox.id} not found`, { cause }) : cause;
  }
}

/**
 * Lets an interface of the calling thread's namespace have the IPv6 addresses of a request, if there are any: a sandbox
 * begins without IPv6, on its loopback interface too. Before they are assigned. Throws LinuxError.
 */
export function allowIpv6(interfaceName: string, { ipv6, linkLocal = [] }: Addresses): void {
  if (ipv6 === undefined && !linkLocal.some(isIpv6)) return;
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

/** Gives an interface in a sandbox its addresses, to be used at once. Throws LinuxError. */
export function assignAddresses(
  inside: Pick<NetworkChanges, 'addAddress'>,
  link: string | number,
  { ipv4, ipv6, linkLocal = [] }: Addresses,
): void {
  for (const address of [ipv4, ipv6, ...linkLocal]) {
    if (address !== undefined) inside.addAddress(link, isIpv6(address) ? { address, noDad: true } : address);
  }
}

/** Makes an interface in a sandbox the sandbox's way out, or no longer, as the request says. Throws LinuxError. */
export function changeDefaultRoutes(
  { sandbox, defaultRoute }: JoinRequest,
  interfaceName: string,
  gateways: readonly string[],
): void {
  const change = defaultRoute ? setDefaultRoutes : deleteDefaultRoutes;
  kernelNetlink.use(sandbox.path, (inside) => change(inside, interfaceName, gateways));
}

const isIpv6 = (address: string): boolean => familyOf(address) === 'ipv6';
