import { X509Certificate } from 'node:crypto';
import {
  type CertificateAuthorityDriver,
  CertificateAuthorityDrivers,
  type IssueOptions,
} from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { ClusterState, ExternalCa, SigningRoot } from '../records/cluster-kind.js';
import { IdentityFile } from './identity-file.js';
import { isSameCertificate } from './is-same-certificate.js';

type Wanted = Omit<IssueOptions, 'issuer'>;

/** Authorities elsewhere that have the key of the root (`ExternalCAs`, with the protocol of cfssl). */
@injectable()
export class ExternalAuthorities {
  constructor(
    @inject(CertificateAuthorityDrivers.token) private readonly authorities: DriverSet<CertificateAuthorityDriver>,
    @inject(IdentityFile) private readonly identity: IdentityFile,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * The certificate of the first authority of the root that issues one, as it was asked for. Rejects `unavailable` when
   * none does, and `invalid-argument` for a request that cannot be read.
   */
  async issue(request: string, wanted: Wanted, root: SigningRoot, { rootCa, spec }: ClusterState): Promise<string> {
    const client = this.identity.present ?? (await this.identity.read());
    if (client === undefined) throw unavailable('external authorities need a certificate of this node, which has none');
    const trust = [root.certificate, rootCa.certificate].join('\n');
    let failure: unknown;
    for (const { URL: url } of authoritiesOf(root, rootCa, spec.CAConfig.ExternalCAs ?? [])) {
      try {
        const certificate = await this.authorities
          .get()
          .issue(request, { ...wanted, issuer: { type: 'cfssl', url, trust, client } });
        checkIssued(certificate, wanted, root, url);
        return `${certificate.trimEnd()}\n`;
      } catch (err) {
        failure = err;
        this.log.warn({ event: 'swarm.authority-failed', url, err }, 'an external authority issued no certificate');
      }
    }
    throw failure ?? unavailable('no external authority of CAConfig.ExternalCAs issues certificates of the root');
  }
}

/** One without a certificate of its own has the key of the root that nodes trust. */
export const authoritiesOf = (
  root: SigningRoot,
  trusted: SigningRoot,
  external: readonly ExternalCa[],
): readonly ExternalCa[] =>
  external.filter(({ CACert: certificate }) => isSameCertificate(certificate ?? trusted.certificate, root.certificate));

/** An authority may be configured to change what it is asked for. */
function checkIssued(pem: string, { names, subject }: Wanted, root: SigningRoot, url: string): void {
  const certificate = new X509Certificate(pem);
  const fields = certificate.subject.split('\n');
  const { commonName, organization, organizationalUnit } = subject;
  const fault = !certificate.verify(new X509Certificate(root.certificate).publicKey)
    ? 'is not signed with the key of the root'
    : ![`CN=${commonName}`, `O=${organization}`, `OU=${organizationalUnit}`].every((field) => fields.includes(field))
      ? `is for another subject: ${fields.join(', ')}`
      : !names.every((name) => certificate.checkHost(name) !== undefined)
        ? `is not valid for ${names.join(' and ')}`
        : undefined;
  if (fault !== undefined) throw unavailable(`the certificate that the external authority ${url} issued ${fault}`);
}
