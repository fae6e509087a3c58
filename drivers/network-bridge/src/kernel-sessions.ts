import type { Lifetime } from '@gantry/core/driver';
import { DriverSkipped, messageOf } from '@gantry/core/errors';
import type { Netlink, NetlinkSocket } from '@gantry/lib-linux/netlink';
import type { Nftables, NftablesSession, RulesetView } from '@gantry/lib-linux/nftables';

/** The driver's sessions with the kernel, open for as long as it runs: injected by these tokens. */
export const HostNetlink = Symbol('netlink socket of the host');
export const FirewallSession = Symbol('nftables session');
export const FirewallView = Symbol('view of the nftables ruleset');

interface KernelSessions {
  readonly netlink: NetlinkSocket;
  readonly session: NftablesSession;
  readonly view: RulesetView;
}

/** @throws DriverSkipped on a host without netlink or nftables. */
export function openKernelSessions(netlink: Netlink, nftables: Nftables, lifetime: Lifetime): KernelSessions {
  const open = <T extends { close(): void }>(session: T): T => {
    lifetime.add(() => session.close());
    return session;
  };
  try {
    return { netlink: open(netlink.open()), session: open(nftables.open()), view: open(nftables.openView()) };
  } catch (cause) {
    throw new DriverSkipped(`bridge networks need netlink and nftables: ${messageOf(cause)}`, { cause });
  }
}
