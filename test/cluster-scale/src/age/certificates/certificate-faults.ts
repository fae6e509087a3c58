import { X509Certificate } from 'node:crypto';
import { commonNameOf } from './common-name-of.js';

/** What is wrong with certificates of nodes: each has to be valid now, and issued by the root. */
export function certificateFaults(certificates: readonly string[], root: string, now: Date): readonly string[] {
  const issuer = new X509Certificate(root);
  return certificates.flatMap((pem) => {
    const certificate = new X509Certificate(pem);
    const name = `the certificate of node ${commonNameOf(pem)}`;
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
      return [`${name} was not issued by the present root`];
    }
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
    return from <= now.getTime() && now.getTime() < to ? [] : [`${name} is valid until ${certificate.validTo} only`];
  });
}
