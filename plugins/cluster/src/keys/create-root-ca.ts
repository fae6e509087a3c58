import { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } from '@peculiar/x509';

/** The certificate authority of a swarm. */
interface RootCa {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS #8. */
  readonly key: string;
  /** Base64 of DER. */
  readonly subject: string;
  /** Base64 of DER. */
  readonly publicKey: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const twentyYears = 20 * 365 * 24 * 3600 * 1000;

/** Makes a root certificate and its key. This module is only imported to make a swarm: its library takes long to load. */
export async function createRootCa(now: Date = new Date()): Promise<RootCa> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=swarm-ca',
    notBefore: new Date(now.getTime() - 3600 * 1000),
    notAfter: new Date(now.getTime() + twentyYears),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 1, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  const base64 = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('base64');
  return {
    subject: base64(certificate.subjectName.toArrayBuffer()),
    publicKey: base64(certificate.publicKey.rawData),
    certificate: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`,
  };
}
