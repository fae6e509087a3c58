import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

export type NodeRole = 'worker' | 'manager';

/** The organizational units of certificates. */
export const roleUnits = { worker: 'swarm-worker', manager: 'swarm-manager' } as const satisfies Record<
  NodeRole,
  string
>;

/** The DNS name that the certificates of managers are valid for. */
export const managerName = roleUnits.manager;

/** The node at the other end, as its certificate says. */
export interface Peer {
  readonly nodeId: string;
  readonly role: NodeRole;
  readonly swarmId: string;
  /** Its certificate has expired, and is valid otherwise. */
  readonly isExpired: boolean;
  /** PEM. */
  readonly certificate: string;
}

/** The peer of a connection; undefined without a certificate of the swarm. */
export function peerOf(socket: TLSSocket, trust: string): Peer | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  const reason = (socket.authorizationError as unknown as string | undefined) ?? '';
  const wasExpired = !socket.authorized && String(reason).includes('CERT_HAS_EXPIRED');
  if (!socket.authorized && !(wasExpired && isIssuedBy(certificate, certificatesOf(trust)))) return undefined;
  // A resumed connection has the verdict of the one that it resumes.
  const isExpired = wasExpired || Date.parse(certificate.validTo) <= Date.now();
  const subject = subjectOf(certificate);
  const [nodeId, swarmId] = [subject.get('CN'), subject.get('O')];
  const role = roleOf(subject);
  if (nodeId === undefined || swarmId === undefined || role === undefined) return undefined;
  return { nodeId, swarmId, role, isExpired, certificate: certificate.toString() };
}

/** The role that a certificate gives its node. */
export const roleOfCertificate = (certificate: string): NodeRole | undefined =>
  roleOf(subjectOf(new X509Certificate(certificate)));

const subjectOf = (certificate: X509Certificate): ReadonlyMap<string, string> =>
  new Map(
    certificate.subject.split('\n').map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name, value.join('=')] as const;
    }),
  );

const roleOf = (subject: ReadonlyMap<string, string>): NodeRole | undefined =>
  (['worker', 'manager'] as const).find((candidate) => roleUnits[candidate] === subject.get('OU'));

/** Certificates between that of a node and a trusted root, at most. */
const mostBetween = 3;

/**
 * OpenSSL stops at the first fault it finds: the signature of an expired certificate is verified here. While roots are
 * rotated, certificates that the node has sent lead to the trusted root.
 */
function isIssuedBy(certificate: X509Certificate, roots: readonly X509Certificate[], between = mostBetween): boolean {
  const hasSigned = (issuer: X509Certificate): boolean =>
    certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  if (roots.some(hasSigned)) return true;
  const { issuerCertificate: sent } = certificate;
  return between > 0 && sent?.ca === true && hasSigned(sent) && isIssuedBy(sent, roots, between - 1);
}

/** The certificates of a PEM bundle. */
const certificatesOf = (bundle: string): readonly X509Certificate[] =>
  (bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
