import { BlockList, isIP } from 'node:net';
import type { SourceDestination } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { isPublicAddress } from '@gantry/lib-source';

/** Decides whether a source may be at an address. */
export type DestinationRule = (destination: Pick<SourceDestination, 'host' | 'address'>) => boolean;

/**
 * Allows public addresses, and the addresses, networks and host names of the configuration.
 * @throws EngineError `invalid-argument` for an invalid network.
 */
export function destinationRule(allowed: readonly string[]): DestinationRule {
  const networks = new BlockList();
  const names = new Set<string>();
  for (const each of allowed) {
    const [address = '', bits] = each.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0 && bits === undefined) names.add(each.toLowerCase());
    else if (isIP(address) > 0 && bits === undefined) networks.addAddress(address, family);
    else if (isIP(address) > 0 && /^\d{1,3}$/.test(bits ?? '') && Number(bits) <= (family === 'ipv6' ? 128 : 32)) {
      networks.addSubnet(address, Number(bits), family);
    } else throw invalidArgument(`allowDestinations: "${each}" is neither a network such as 10.0.0.0/8 nor a host`);
  }
  return ({ host, address }) =>
    isPublicAddress(address) ||
    names.has(host.toLowerCase()) ||
    (isIP(address) > 0 && networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));
}
