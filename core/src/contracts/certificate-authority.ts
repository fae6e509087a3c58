import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';

/**
 * # Certificate authority: the certificates of a swarm's nodes
 *
 * A driver keeps nothing: the engine stores roots and keys, and hands them in. Certificates are PEM, private keys PEM in
 * PKCS #8. All calls may take some milliseconds of processor time, and none blocks the event loop for long.
 */
export interface CertificateAuthorityDriver {
  /** Makes a key, and a root certificate that is signed with it. */
  createRoot(options: CreateRootOptions): Promise<RootCertificate>;

  /**
   * What a root certificate that others have made says of itself. Rejects `invalid-argument` when it is no authority, or
   * the key is not its own. Without a key an authority elsewhere has it, and the answer has none.
   */
  importRoot(certificate: string, key: string): Promise<RootCertificate>;
  importRoot(certificate: string, key: undefined): Promise<PublicRoot>;

  /** Makes a key of a node, and a signed request (PKCS #10) for its certificate. */
  createRequest(): Promise<CertificateRequest>;

  /**
   * Issues a certificate for the key of a request. What the request says of its subject is ignored. Resolves to the
   * certificate, followed by `issuer.chain`. Rejects `invalid-argument` for a request that was not signed with its own key,
   * and `unavailable` when an external authority does not issue.
   */
  issue(request: string, options: IssueOptions): Promise<string>;

  /** A certificate for the key of a new root, signed by the old one: nodes that trust the old root accept certificates of the new one. */
  crossSign(root: PublicRoot, issuer: RootCertificate): Promise<string>;
}

export interface CreateRootOptions {
  readonly commonName: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface RootCertificate {
  readonly certificate: string;
  readonly key: string;
  /** Base64 of DER. */
  readonly subject: string;
  /** Base64 of DER (SPKI). */
  readonly publicKey: string;
}

/** A root certificate whose key is elsewhere. */
export type PublicRoot = Omit<RootCertificate, 'key'>;

export interface CertificateRequest {
  readonly key: string;
  readonly request: string;
}

export interface IssueOptions {
  readonly issuer: CertificateIssuer;
  readonly subject: {
    readonly commonName: string;
    readonly organizationalUnit: string;
    readonly organization: string;
  };
  /** DNS names that the certificate is valid for, beside its use as a client. */
  readonly names: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export type CertificateIssuer =
  | {
      readonly type: 'root';
      readonly root: Pick<RootCertificate, 'certificate' | 'key'>;
      /** Certificates that lead from the root to one that every node trusts: see `crossSign`. */
      readonly chain?: string;
    }
  /** An authority elsewhere with the protocol of cfssl, which decides by itself how long a certificate is valid. */
  | {
      readonly type: 'cfssl';
      readonly url: string;
      /** PEM: certificates that the authority's own server may have been issued by. */
      readonly trust: string;
      /** By which this engine is known to the authority. */
      readonly client: { readonly certificate: string; readonly key: string };
    };

export const CertificateAuthorityDrivers: DriverPoint<CertificateAuthorityDriver> =
  driverPoint<CertificateAuthorityDriver>(
    'certificate-authority',
    '1.0',
    ['createRoot', 'importRoot', 'createRequest', 'issue', 'crossSign'],
    { takeover: 'overlapping' },
  );
