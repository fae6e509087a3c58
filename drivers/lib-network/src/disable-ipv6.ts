import type { Sysctl } from '@gantry/lib-linux/netlink';

/** Disables IPv6 on a link that only forwards frames and needs no address of its own. Throws LinuxError. */
export function disableIpv6(sysctl: Sysctl, link: string): void {
  const setting = `net/ipv6/conf/${link}/disable_ipv6`;
  if (sysctl.read(setting) === '0') sysctl.write(setting, 1);
}
