import type { JoinRequest } from '@gantry/core/contracts';
import { notFound } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import type { Namespaces } from '@gantry/lib-linux/namespaces';
import {
  deleteDefaultRoutes,
  type Netlink,
  type NetworkChanges,
  type Sysctl,
  setDefaultRoutes,
} from '@gantry/lib-linux/netlink';
import { familyOf } from './address.js';

type Addresses = Pick<JoinRequest, 'ipv4' | 'ipv6' | 'linkLocal'>;

/**
 * A descriptor of a sandbox's namespace, the caller's to close.
 * @throws EngineError `not-found` when the sandbox is gone.
 */
export function openSandbox(namespaces: Namespaces, { sandbox }: JoinRequest): number {
  try {
    return namespaces.open(sandbox.path);
  } catch (cause) {
    throw isErrno(cause, 'ENOENT') ? notFound(`sandbox ${sandbox.id} not found`, { cause }) : cause;
  }
}

/**
 * Enables IPv6 on an interface of the calling thread's namespace when the request has IPv6 addresses: a sandbox starts
 * with IPv6 disabled, also on its loopback interface. Called before the addresses are assigned. Throws LinuxError.
 */
export function enableIpv6(sysctl: Sysctl, interfaceName: string, { ipv6, linkLocal = [] }: Addresses): void {
  if (ipv6 === undefined && !linkLocal.some(isIpv6)) return;
  for (const [setting, value] of [
    [`${interfaceName}/accept_ra`, 0],
    [`${interfaceName}/accept_dad`, 0],
    [`${interfaceName}/disable_ipv6`, 0],
    ['lo/disable_ipv6', 0],
  ] as const) {
    const name = `net/ipv6/conf/${setting}`;
    if (sysctl.read(name) !== undefined) sysctl.write(name, value);
  }
}

/** Writes what a request asks of its interface, in the calling thread's namespace, before the interface is up. Throws LinuxError. */
export function writeSysctls(
  sysctl: Sysctl,
  interfaceName: string,
  { sysctls = [] }: Pick<JoinRequest, 'sysctls'>,
): void {
  for (const { name, value } of sysctls) {
    const path = name.split('.').map((part) => (part === 'IFNAME' ? interfaceName : part));
    sysctl.write(path.join('/'), value);
  }
}

/** Assigns an interface in a sandbox its addresses, usable at once. Throws LinuxError. */
export function assignAddresses(
  inside: Pick<NetworkChanges, 'addAddress'>,
  link: string | number,
  { ipv4, ipv6, linkLocal = [] }: Addresses,
): void {
  for (const address of [ipv4, ipv6, ...linkLocal]) {
    if (address !== undefined) inside.addAddress(link, isIpv6(address) ? { address, noDad: true } : address);
  }
}

/** Whether an endpoint carries the default route by this gateway. */
export const carriesRoute = (defaultRoute: JoinRequest['defaultRoute'], gateway: string): boolean =>
  defaultRoute === true || defaultRoute === familyOf(gateway);

/** Sets those of the sandbox's default routes through an interface that the request names, and deletes the others. Throws LinuxError. */
export function changeDefaultRoutes(
  netlink: Netlink,
  { sandbox, defaultRoute }: JoinRequest,
  interfaceName: string,
  gateways: readonly string[],
): void {
  const carried = gateways.filter((gateway) => carriesRoute(defaultRoute, gateway));
  const others = gateways.filter((gateway) => !carried.includes(gateway));
  netlink.use(sandbox.path, (inside) => {
    setDefaultRoutes(inside, interfaceName, carried);
    deleteDefaultRoutes(inside, interfaceName, others);
  });
}

const isIpv6 = (address: string): boolean => familyOf(address) === 'ipv6';
