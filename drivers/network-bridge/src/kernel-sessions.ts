import { Lifetime, type PackageContainer } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import { Netlink } from '@gantry/lib-linux/netlink';
import { Nftables } from '@gantry/lib-linux/nftables';

/** The driver's sessions with the kernel, open for as long as it runs: injected by these tokens. */
export const HostNetlink = Symbol('netlink socket of the host');
export const FirewallSession = Symbol('nftables session');
export const FirewallView = Symbol('view of the nftables ruleset');

export function registerKernelSessions(container: PackageContainer): void {
  container.registerFactory(HostNetlink, [Netlink.token, Lifetime], (netlink: Netlink, lifetime: Lifetime) =>
    open(() => netlink.open(), lifetime),
  );
  container.registerFactory(FirewallSession, [Nftables.token, Lifetime], (nftables: Nftables, lifetime: Lifetime) =>
    open(() => nftables.open(), lifetime),
  );
  container.registerFactory(FirewallView, [Nftables.token, Lifetime], (nftables: Nftables, lifetime: Lifetime) =>
    open(() => nftables.openView(), lifetime),
  );
}

/** @throws DriverSkipped on a host without netlink or nftables. */
function open<S extends { close(): void }>(openSession: () => S, lifetime: Lifetime): S {
  try {
    const session = openSession();
    lifetime.add(() => session.close());
    return session;
  } catch (cause) {
    throw new DriverSkipped(`bridge networks need netlink and nftables: ${messageOf(cause)}`, { cause });
  }
}
