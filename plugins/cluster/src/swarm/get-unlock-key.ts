import { inject, injectable } from '@gantry/core/driver';
import { unseal } from '../keys/seal.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { presentCluster } from '../records/present-cluster.js';

/** Reads the key that unlocks this manager. */
@injectable()
export class GetUnlockKey {
  constructor(@inject(SwarmMembership) private readonly membership: SwarmMembership) {}

  /** Empty for a swarm whose managers do not lock themselves. */
  async get(): Promise<string> {
    const { key, store } = await this.membership.manager();
    const { unlockKey } = presentCluster(store).value;
    return unlockKey === undefined ? '' : unseal(key, unlockKey).toString();
  }
}
