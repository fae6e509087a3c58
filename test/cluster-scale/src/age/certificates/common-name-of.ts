import { X509Certificate } from 'node:crypto';

/** The node to which a certificate was issued. */
export const commonNameOf = (certificate: string): string =>
  /^CN=(.*)$/m.exec(new X509Certificate(certificate).subject)?.[1] ?? '';
