import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type SourceContext, SourceError } from '@gantry/core/contracts';
import { abortable } from '@gantry/core/driver';
import { isPublicAddress } from './is-public-address.js';

/**
 * Resolves a host to the one address to connect to, so that a name server cannot answer the check and the connection
 * differently. Rejects SourceError `refused-address` when one of its addresses is not allowed, `unreachable` when it
 * has none.
 */
export async function resolveDestination(
  host: string,
  port: number,
  { allowDestination, signal }: Pick<SourceContext, 'allowDestination' | 'signal'>,
  step: string,
): Promise<string> {
  const name = withoutBrackets(host);
  const addresses = isAddress(name) ? [name] : await lookUp(name, step, signal);
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

async function lookUp(name: string, step: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
  try {
    // The time-out of name servers is longer than a caller waits after an abort.
    return (await abortable(lookup(name, { all: true }), signal)).map(({ address }) => address);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new SourceError('unreachable', `no such host: ${name}`, step, '', { cause });
  }
}

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** Whether a URL's host is an address and not a name. */
export const isAddress = (host: string): boolean => isIP(withoutBrackets(host)) !== 0;

/** An address as a URL has it. */
export const inUrl = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);
