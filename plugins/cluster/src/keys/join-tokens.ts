import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalidArgument } from '@gantry/core/errors';

/** A token names the root certificate that the joining node may trust, and has a secret. */
const pattern = /^SWMTKN-1-([0-9a-z]{50})-([0-9a-z]{25})$/;

/** The digest of a root certificate, as tokens have it. */
function caDigest(certificate: string): string {
  const der = Buffer.from(certificate.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return toBase36(createHash('sha256').update(der).digest(), 50);
}

export const newJoinToken = (certificate: string): string =>
  `SWMTKN-1-${caDigest(certificate)}-${toBase36(randomBytes(16), 25)}`;

/** @throws EngineError `invalid-argument` naming the field for what is no join token. */
export function parseJoinToken(field: string, text: string): void {
  if (!pattern.test(text)) throw invalidArgument(`${field}: invalid join token`);
}

/** Whether a text is a token of the swarm with this root certificate. */
export function isTokenOf(certificate: string, text: string): boolean {
  const digest = pattern.exec(text)?.[1];
  return digest !== undefined && timingSafeEqual(Buffer.from(digest), Buffer.from(caDigest(certificate)));
}

const toBase36 = (bytes: Buffer, length: number): string =>
  BigInt(`0x${bytes.toString('hex')}`)
    .toString(36)
    .padStart(length, '0')
    .slice(-length);
