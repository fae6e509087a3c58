import { ClusterService } from '@gantry/cluster/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { OrphanedAttachments } from '../endpoints/orphaned-attachments.js';
import { Orchestrator } from './orchestrator.js';
import { PublishChanges } from './publish-changes.js';
import { RecordUsers } from './record-users.js';

/** What this area does as long as the engine is a manager. */
@injectable()
export class SessionWork {
  constructor(
    @inject(ClusterService.token) private readonly cluster: Pick<ClusterService, 'whileManager'>,
    @inject(Orchestrator) private readonly orchestrator: Orchestrator,
    @inject(PublishChanges) private readonly changes: PublishChanges,
    @inject(RecordUsers) private readonly users: RecordUsers,
    @inject(OrphanedAttachments) private readonly attachments: OrphanedAttachments,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    this.users.start();
    this.lifetime.add(this.cluster.whileManager((session) => this.orchestrator.run(session)));
    this.lifetime.add(this.cluster.whileManager((session) => this.changes.run(session)));
    this.lifetime.add(this.cluster.whileManager((session) => this.attachments.run(session)));
  }
}
