import {
  type CertificateAuthorityDriver,
  CertificateAuthorityDrivers,
  type IssueOptions,
} from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { type NodeRole, roleUnits } from '@gantry/lib-cluster-protocol';
import { unseal } from '../keys/seal.js';
import { onCalendar } from '../on-calendar.js';
import { issuingRoot } from '../records/cluster-kind.js';
import { presentCluster } from '../records/present-cluster.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { ExternalAuthorities } from './external-authorities.js';
import type { IssuedCertificate } from './issued-certificate.js';

export interface Applicant {
  readonly nodeId: string;
  readonly role: NodeRole;
  /** PKCS #10, PEM. */
  readonly request: string;
}

const hour = 3600 * 1000;

/** Issues the certificates of nodes, as the swarm's specification says. */
@injectable()
export class IssueCertificate {
  constructor(
    @inject(CertificateAuthorityDrivers.token) private readonly authorities: DriverSet<CertificateAuthorityDriver>,
    @inject(ExternalAuthorities) private readonly external: ExternalAuthorities,
  ) {}

  /** Rejects `invalid-argument` for a request that cannot be read, and `unavailable` when no authority issues. */
  async issue({ key, store }: OpenSession, applicant: Applicant): Promise<IssuedCertificate> {
    const { id, value } = presentCluster(store);
    const { rootCa, spec } = value;
    const { chain, ...root } = issuingRoot(rootCa);
    const now = Date.now();
    const wanted: Omit<IssueOptions, 'issuer'> = {
      subject: {
        commonName: applicant.nodeId,
        organizationalUnit: roleUnits[applicant.role],
        organization: id,
      },
      names: [roleUnits[applicant.role], applicant.nodeId],
      notBefore: new Date(now - onCalendar(hour)), // the clocks of nodes differ
      notAfter: new Date(now + onCalendar(spec.CAConfig.NodeCertExpiry / 1e6)),
    };
    const certificate =
      root.key === undefined
        ? (await this.external.issue(applicant.request, wanted, root, value)) + (chain ?? '')
        : await this.authorities.get().issue(applicant.request, {
            ...wanted,
            issuer: {
              type: 'root',
              root: { ...root, key: unseal(key, root.key).toString() },
              ...(chain !== undefined && { chain }),
            },
          });
    const { publicKey, subject } = root;
    return { certificate, trust: rootCa.certificate, issuer: { certificate: root.certificate, publicKey, subject } };
  }

  /** A key for this node, and a request for its certificate. */
  createRequest() {
    return this.authorities.get().createRequest();
  }
}
