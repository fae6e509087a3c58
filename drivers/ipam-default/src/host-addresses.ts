import { readFile } from 'node:fs/promises';
import { inject, injectable } from '@gantry/core/driver';
import { Netlink } from '@gantry/lib-linux/netlink';
import { type Block, parseAddress, parseSubnet } from '@gantry/lib-network/subnet';

/** The addresses that the host routes to or uses: a network on them would make something unreachable. */
@injectable()
export class HostAddresses {
  constructor(@inject(Netlink.token) private readonly netlink: Netlink) {}

  async read(resolverFile = '/etc/resolv.conf'): Promise<readonly Block[]> {
    const nameservers = await readNameservers(resolverFile);
    const routed = this.netlink.use(undefined, (socket) => [
      ...socket
        .routes({ table: 'all' })
        .filter(({ type }) => type !== 'broadcast' && type !== 'multicast')
        .map(({ destination }) => destination),
      ...socket.addresses().map(({ address }) => address),
    ]);
    return [...nameservers, ...routed].flatMap((text) => blockOf(text) ?? []);
  }
}

/**
 * A default route conflicts with no network. VPNs that redirect all traffic write it as two halves, or as a few blocks
 * around IPv6's special ranges.
 */
const isDefaultRoute = (prefix: number): boolean => prefix <= 3;

function blockOf(text: string): Block | undefined {
  if (!text.includes('/')) {
    const address = parseAddress(text);
    return address && { family: address.family, first: address.value, last: address.value };
  }
  const subnet = parseSubnet(text);
  return subnet === undefined || isDefaultRoute(subnet.prefix) ? undefined : subnet;
}

async function readNameservers(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].map(([, address = '']) => address.split('%', 1)[0] ?? '');
}
