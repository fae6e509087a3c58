/** A certificate as a manager issues it, with what the node needs beside it. */
export interface IssuedCertificate {
  /** PEM; followed by those that lead to an older root. */
  readonly certificate: string;
  /** The root certificate of the swarm. */
  readonly trust: string;
  /** The root that issued the certificate: in a rotation the next one. */
  readonly issuer: TrustRoot;
}

/** A root certificate as nodes show it. */
interface TrustRoot {
  readonly certificate: string;
  /** Base64 of DER. */
  readonly subject: string;
  /** Base64 of DER. */
  readonly publicKey: string;
}
