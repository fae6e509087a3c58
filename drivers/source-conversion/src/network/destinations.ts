import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { abortable } from '@gantry/core/driver';
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
  { allowDestination, signal }: Pick<ConversionContext, 'allowDestination' | 'signal'>,
  step: string,
): Promise<string> {
  const name = withoutBrackets(host);
  const addresses = isAddress(name) ? [name] : await addressesOf(name, step, signal);
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

async function addressesOf(name: string, step: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
  try {
    // Name servers may take longer to say nothing than whoever calls off wants to wait.
    return (await abortable(lookup(name, { all: true }), signal)).map(({ address }) => address);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new SourceError('unreachable', `no such host: ${name}`, step, '', { cause });
  }
}

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Whether a URL's host is an address and not a name. */
export const isAddress = (host: string): boolean => isIP(withoutBrackets(host)) !== 0;

/** An address as it stands in a URL. */
export const inUrl = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);
