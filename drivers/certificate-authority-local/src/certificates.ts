import { createPrivateKey, type KeyObject, X509Certificate as NodeCertificate, type webcrypto } from 'node:crypto';
import type {
  CertificateRequest,
  CreateRootOptions,
  IssueOptions,
  PublicRoot,
  RootCertificate,
} from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** This module is only imported when certificates are made: its library takes long to load. */
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Of keys that others have made, by the names that Node has for their curves. */
const curves: Readonly<Record<string, { readonly namedCurve: string; readonly hash: string }>> = {
  prime256v1: { namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { namedCurve: 'P-521', hash: 'SHA-512' },
};

const leastModulus = 2048;

type Signer = Pick<RootCertificate, 'certificate' | 'key'>;

export async function createRoot({ commonName, notAfter, notBefore }: CreateRootOptions): Promise<RootCertificate> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    keys,
    extensions: [...authorityExtensions(), await SubjectKeyIdentifierExtension.create(keys.publicKey)],
  });
  return { ...describe(certificate), key: await exportKey(keys.privateKey) };
}

export async function importRoot(certificate: string, key: string): Promise<RootCertificate> {
  const parsed = parse('certificate', () => new NodeCertificate(certificate));
  const privateKey = parse('key', () => createPrivateKey(key));
  if (!parsed.checkPrivateKey(privateKey)) throw invalidArgument('the key does not belong to the certificate');
  const root = importPublicRoot(certificate);
  return { ...root, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

export function importPublicRoot(certificate: string): PublicRoot {
  const { ca, publicKey } = parse('certificate', () => new NodeCertificate(certificate));
  if (!ca) throw invalidArgument('the certificate is not one of an authority');
  algorithmOf(publicKey);
  const root = new X509Certificate(certificate);
  checkMaySign(root);
  return describe(root);
}

/** The root signs nodes, and in a rotation also the certificate between itself and its successor. */
function checkMaySign(root: X509Certificate): void {
  const usages = root.getExtension(KeyUsagesExtension)?.usages;
  if (usages !== undefined && (usages & KeyUsageFlags.keyCertSign) === 0) {
    throw invalidArgument('the key usages of the certificate do not include signing certificates');
  }
  if (root.getExtension(BasicConstraintsExtension)?.pathLength === 0) {
    throw invalidArgument('the path length of the certificate is 0, and a rotation of the root needs 1');
  }
}

export async function createRequest(): Promise<CertificateRequest> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=swarm-node',
    keys,
    signingAlgorithm: algorithm,
  });
  return { key: await exportKey(keys.privateKey), request: `${request.toString('pem')}\n` };
}

/** @throws EngineError `invalid-argument` unless the request is signed with the key that it is for. */
export async function checkRequest(request: string): Promise<Pkcs10CertificateRequest> {
  const parsed = parse('request', () => new Pkcs10CertificateRequest(request));
  const isSigned = await parsed.verify().catch(() => false); // a key of an unknown kind cannot have signed it
  if (!isSigned) throw invalidArgument('the certificate request is not signed with its own key');
  return parsed;
}

export async function issueByRoot(
  request: string,
  { names, notAfter, notBefore, subject }: Omit<IssueOptions, 'issuer'>,
  { extension, signing, subjectName }: Issuer,
): Promise<string> {
  const { publicKey } = await checkRequest(request);
  const { commonName, organization, organizationalUnit } = subject;
  const certificate = await X509CertificateGenerator.create({
    subject: [{ O: [organization] }, { OU: [organizationalUnit] }, { CN: [commonName] }],
    issuer: subjectName,
    notBefore,
    notAfter,
    publicKey,
    ...signing,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
      extension,
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

export async function crossSign(root: PublicRoot, issuer: Signer): Promise<string> {
  const own = new X509Certificate(root.certificate);
  const by = new X509Certificate(issuer.certificate);
  const certificate = await X509CertificateGenerator.create({
    subject: own.subjectName,
    issuer: by.subjectName,
    notBefore: own.notBefore,
    notAfter: by.notAfter,
    publicKey: own.publicKey,
    ...(await signingWith(issuer.key)),
    extensions: [
      ...authorityExtensions(),
      await SubjectKeyIdentifierExtension.create(own.publicKey),
      await issuerExtension(issuer),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

const authorityExtensions = () => [
  new BasicConstraintsExtension(true, 1, true),
  new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
];

/** Two roots of one swarm have the same name: only the key says which of them has signed. */
const issuerExtension = ({ certificate }: Pick<Signer, 'certificate'>): Promise<AuthorityKeyIdentifierExtension> =>
  AuthorityKeyIdentifierExtension.create(new X509Certificate(certificate).publicKey);

function describe(certificate: X509Certificate): PublicRoot {
  return {
    certificate: `${certificate.toString('pem')}\n`,
    subject: base64(certificate.subjectName.toArrayBuffer()),
    publicKey: base64(certificate.publicKey.rawData),
  };
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
}

export interface Issuer {
  readonly subjectName: X509Certificate['subjectName'];
  readonly signing: Awaited<ReturnType<typeof signingWith>>;
  readonly extension: AuthorityKeyIdentifierExtension;
}

/** What of a root is the same for all certificates that it issues. Takes as long as a signature. */
export async function readIssuer(root: Signer): Promise<Issuer> {
  const [signing, extension] = await Promise.all([signingWith(root.key), issuerExtension(root)]);
  return { subjectName: new X509Certificate(root.certificate).subjectName, signing, extension };
}

async function signingWith(pem: string) {
  const key = createPrivateKey(pem);
  const signingAlgorithm = algorithmOf(key);
  const der = key.export({ type: 'pkcs8', format: 'der' });
  const signingKey = await crypto.subtle.importKey('pkcs8', der, signingAlgorithm, false, ['sign']);
  return { signingKey, signingAlgorithm };
}

/** @throws EngineError `invalid-argument` for a key that nodes do not trust signatures of. */
function algorithmOf({
  asymmetricKeyDetails: { modulusLength = 0, namedCurve = '' } = {},
  asymmetricKeyType,
}: KeyObject) {
  const curve = curves[namedCurve];
  if (asymmetricKeyType === 'ec' && curve !== undefined) return { name: 'ECDSA', ...curve };
  if (asymmetricKeyType === 'rsa' && modulusLength >= leastModulus) {
    return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  }
  throw invalidArgument(
    `the key of the certificate is neither an ECDSA key on P-256, P-384 or P-521 nor an RSA key of ${leastModulus} bits`,
  );
}

const base64 = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('base64');

function parse<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw invalidArgument(`the ${what} cannot be read`, { cause });
  }
}
