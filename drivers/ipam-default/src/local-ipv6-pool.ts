import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/**
 * The host's own /48 of the unique local addresses (RFC 4193), for networks of /64. Its 40 bits follow from the machine's
 * id, so that it stays the same, and hardly two hosts have the same one.
 */
export async function localIpv6Pool(): Promise<{ readonly base: string; readonly size: number }> {
  const id = await readFile('/etc/machine-id', 'utf8').catch(() => hostname());
  const digits = createHash('sha256').update(`ipv6 networks of ${id.trim()}`).digest('hex');
  return { base: `fd${digits.slice(0, 2)}:${digits.slice(2, 6)}:${digits.slice(6, 10)}::/48`, size: 64 };
}
