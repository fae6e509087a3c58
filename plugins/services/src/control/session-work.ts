import { ClusterService } from '@gantry/cluster/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { FileUsers } from './file-users.js';
import { Orchestrator } from './orchestrator.js';
import { PublishChanges } from './publish-changes.js';

/** What this area does as long as the engine is a manager. */
@injectable()
export class SessionWork {
  constructor(
    @inject(ClusterService.token) private readonly cluster: Pick<ClusterService, 'addUsers' | 'whileManager'>,
    @inject(Orchestrator) private readonly orchestrator: Orchestrator,
    @inject(PublishChanges) private readonly changes: PublishChanges,
    @inject(FileUsers) private readonly users: FileUsers,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    this.lifetime.add(this.cluster.addUsers(this.users));
    this.lifetime.add(this.cluster.whileManager((session) => this.orchestrator.run(session)));
    this.lifetime.add(this.cluster.whileManager((session) => this.changes.run(session)));
  }
}
