import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ConversionContext } from '../conversion-context.js';
import { SourceError } from '../source-error.js';
import { isPublicAddress } from './public-address.js';

/**
 * What a name means now, once for its check and its use: whoever controls the name cannot answer twice. Rejects
 * SourceError `refused-address` when one of its addresses is not allowed, `unreachable` when there is none.
 */
export async function resolveDestination(
  host: string,
  port: number,
  { allowDestination }: Pick<ConversionContext, 'allowDestination'>,
  step: string,
): Promise<string> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(name) === 0 ? await addressesOf(name, step) : [name];
  const allow = allowDestination ?? (({ address }) => isPublicAddress(address));
  const [first] = addresses;
  if (first === undefined) throw new SourceError('unreachable', `no such host: ${name}`, step);
  for (const address of addresses) {
    if (!allow({ host: name, address, port })) {
      throw new SourceError('refused-address', `${name} is at ${address}, which is not allowed as a source`, step);
    }
  }
  return first;
}

async function addressesOf(name: string, step: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch (cause) {
    throw new SourceError('unreachable', `no such host: ${name}`, step, '', { cause });
  }
}

/** An address as it stands in a URL. */
export const inUrl = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);
