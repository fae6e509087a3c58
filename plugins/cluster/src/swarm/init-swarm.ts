import { inject, injectable } from '@gantry/core/driver';
import { notAcceptable } from '@gantry/core/errors';
import { MembershipMutex } from '../membership/membership-mutex.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { CreateSwarm, type InitRequest } from './create-swarm.js';
import { ForceNewCluster } from './force-new-cluster.js';

/** Makes a swarm with this engine as its manager, or its only one. */
@injectable()
export class InitSwarm {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(MembershipMutex) private readonly mutex: MembershipMutex,
    @inject(CreateSwarm) private readonly createSwarm: CreateSwarm,
    @inject(ForceNewCluster) private readonly forceNewCluster: ForceNewCluster,
  ) {}

  /**
   * Returns the id of the node. Rejects `not-acceptable` when the engine is part of a swarm, unless a new cluster is
   * forced: then it becomes the only manager of that swarm.
   */
  init(request: InitRequest): Promise<string> {
    return this.mutex.run(async () => {
      const { state } = this.membership;
      if (state.status === 'inactive') return this.createSwarm.create(request);
      if (request.ForceNewCluster === true && (state.status === 'active' || state.status === 'pending')) {
        return this.forceNewCluster.force(
          request,
          state.member,
          state.status === 'active' ? state.session.key : state.key,
        );
      }
      throw notAcceptable(
        'This node is already part of a swarm. Use "docker swarm leave" to leave this swarm and join another one.',
      );
    });
  }
}
