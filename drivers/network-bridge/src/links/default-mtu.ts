import type { NetlinkSocket } from '@gantry/lib-linux/netlink';

const ethernet = 1500;

/** Packets must fit through the host's way out, which is narrower than usual in tunnels and clouds. */
export function defaultMtu(netlink: NetlinkSocket): number {
  const wayOut = netlink.routes().find(({ destination, link }) => destination === 'default' && link !== undefined);
  const mtu = wayOut?.link === undefined ? undefined : netlink.link(wayOut.link)?.mtu;
  return Math.min(ethernet, mtu ?? ethernet);
}
