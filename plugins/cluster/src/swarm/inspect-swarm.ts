import { inject, injectable } from '@gantry/core/driver';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { presentCluster } from '../records/present-cluster.js';
import { toSwarm } from '../records/to-swarm.js';

/** Spec: GET /swarm. */
@injectable()
export class InspectSwarm {
  constructor(@inject(SwarmMembership) private readonly membership: SwarmMembership) {}

  async inspect() {
    const { key, store } = await this.membership.manager();
    return toSwarm(presentCluster(store), key);
  }
}
