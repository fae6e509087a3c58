import { ClusterService, type ManagerSession } from '@gantry/cluster/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import type { AgentSession, AgentSessions } from '../service.js';
import { LocalSession } from './local-session.js';
import { ReportStates } from './report-states.js';
import { TaskFiles } from './task-files.js';

/** Sessions of a manager's own node, which needs no connection. */
@injectable()
export class ManagerSessions implements AgentSessions {
  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(ReportStates) private readonly reports: ReportStates,
    @inject(TaskFiles) private readonly files: TaskFiles,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  onSession(run: (session: AgentSession) => Promise<void>): () => void {
    const release = this.cluster.whileManager((session) => this.#run(session, run));
    this.lifetime.add(release);
    return release;
  }

  async #run(session: ManagerSession, run: (session: AgentSession) => Promise<void>): Promise<void> {
    const local = new LocalSession(session, this.cluster, this.reports, this.files);
    const watching = local.watch();
    await run(local);
    await watching;
  }
}
