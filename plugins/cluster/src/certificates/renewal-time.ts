import { X509Certificate } from 'node:crypto';

/**
 * When a certificate has to be renewed, in milliseconds since the epoch: after 50 to 80 percent of its life, at random, so
 * that nodes that joined together do not renew together.
 */
export function renewalTime(certificate: string, random: number = Math.random()): number {
  const { validFrom, validTo } = new X509Certificate(certificate);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return from + (to - from) * (0.5 + 0.3 * random);
}
