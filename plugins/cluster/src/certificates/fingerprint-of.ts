import { createHash } from 'node:crypto';

/** Base64. */
export const fingerprintOf = (certificate: string): string => createHash('sha256').update(certificate).digest('base64');
