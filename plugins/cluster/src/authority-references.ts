import { type CertificateAuthorityDriver, CertificateAuthorityDrivers } from '@gantry/core/contracts';
import { type DriverLifecycle, type DriverSet, type DriverUse, inject, injectable } from '@gantry/core/driver';
import { SwarmMembership } from './membership/swarm-membership.js';

/** Says that a node of a swarm needs its certificate authority, with which certificates are requested and issued. */
@injectable()
export class AuthorityReferences implements DriverLifecycle {
  constructor(
    @inject(CertificateAuthorityDrivers.token) private readonly authorities: DriverSet<CertificateAuthorityDriver>,
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
  ) {}

  driverReferences(): readonly DriverUse[] {
    if (this.membership.state.status === 'inactive') return [];
    const driver = `certificate-authority/${this.authorities.defaultId}`;
    return [{ driver, user: 'the certificates of the swarm that this engine is part of' }];
  }
}
