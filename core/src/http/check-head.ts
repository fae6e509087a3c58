import type { IncomingMessage } from 'node:http';

/**
 * What is wrong with the head of a request that Node's parser lets through, undefined when nothing is. All of it is
 * about what a proxy in front may understand differently.
 */
export function checkHead({ headers, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return `HTTP/${httpVersion} is not spoken here`;
  const { host, 'transfer-encoding': encoding } = headers;
  if (host === undefined && httpVersion === '1.1') return 'the Host header is missing';
  if (countOf('host', rawHeaders) > 1) return 'there is more than one Host header';
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'chunked') {
    return `Transfer-Encoding "${encoding}" is not understood, only chunked is`;
  }
  return undefined;
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}
