import { kernelSysctl } from '@gantry/lib-linux/netlink';

/** A link that only passes frames on: an address of its own would be one more thing to talk to. Throws LinuxError. */
export function silenceIpv6(link: string): void {
  const setting = `net/ipv6/conf/${link}/disable_ipv6`;
  if (kernelSysctl.read(setting) === '0') kernelSysctl.write(setting, 1);
}
