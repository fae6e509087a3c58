import { readFile } from 'node:fs/promises';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import { type Block, parseAddress, parseSubnet } from './subnet.js';

/** The addresses the host itself needs: a network on them would cut it off from something. */
export async function readHostBlocks(resolverFile = '/etc/resolv.conf'): Promise<readonly Block[]> {
  const nameservers = await readNameservers(resolverFile);
  const routed = kernelNetlink.use(undefined, (socket) => [
    ...socket
      .routes({ table: 'all' })
      .filter(({ type }) => type !== 'broadcast' && type !== 'multicast')
      .map(({ destination }) => destination),
    ...socket.addresses().map(({ address }) => address),
  ]);
  return [...nameservers, ...routed].flatMap((text) => blockOf(text) ?? []);
}

/**
 * A default route leads everywhere and stands in nobody's way. VPNs that take everything over write it as two halves,
 * or as what is beside IPv6's special ranges.
 */
const leadsEverywhere = (prefix: number): boolean => prefix <= 3;

function blockOf(text: string): Block | undefined {
  if (!text.includes('/')) {
    const address = parseAddress(text);
    return address && { family: address.family, first: address.value, last: address.value };
  }
  const subnet = parseSubnet(text);
  return subnet === undefined || leadsEverywhere(subnet.prefix) ? undefined : subnet;
}

async function readNameservers(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].map(([, address = '']) => address.split('%', 1)[0] ?? '');
}
