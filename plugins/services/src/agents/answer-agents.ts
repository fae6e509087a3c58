import { ClusterService } from '@gantry/cluster/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { AgentRequests } from './agent-requests.js';
import { AssignmentFeed } from './assignment-feed.js';
import { NetworkFeed } from './network-feed.js';
import { NetworkRequests } from './network-requests.js';

/** Answers the agents of all nodes, while this engine leads. */
@injectable()
export class AnswerAgents {
  constructor(
    @inject(ClusterService.token) private readonly cluster: Pick<ClusterService, 'whileManager'>,
    @inject(AssignmentFeed) private readonly assignments: AssignmentFeed,
    @inject(NetworkFeed) private readonly networkFeed: NetworkFeed,
    @inject(AgentRequests) private readonly tasks: AgentRequests,
    @inject(NetworkRequests) private readonly networks: NetworkRequests,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    this.lifetime.add(this.cluster.whileManager((session) => this.assignments.run(session)));
    this.lifetime.add(this.cluster.whileManager((session) => this.networkFeed.run(session)));
    this.tasks.start();
    this.networks.start();
  }
}
