import { ClusterInfo } from '@gantry/cluster/service';
import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { AgentSessions } from '@gantry/services/service';
import { SwarmLogs } from './logs/swarm-logs.js';
import { NodeAgent } from './node-agent.js';
import { RemoveAbandonedTasks } from './tasks/remove-abandoned-tasks.js';

/** The hooks of the package. */
@injectable()
export class NodeAgentPlugin implements DriverLifecycle {
  constructor(
    @inject(AgentSessions.token) private readonly sessions: AgentSessions,
    @inject(ClusterInfo.token) private readonly info: Pick<ClusterInfo, 'headline'>,
    @inject(NodeAgent) private readonly agent: NodeAgent,
    @inject(RemoveAbandonedTasks) private readonly abandonedTasks: RemoveAbandonedTasks,
    @inject(SwarmLogs) private readonly logs: SwarmLogs,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.logs.start();
  }

  /** Containers that ran before the engine's start are known by now. */
  async ready(): Promise<void> {
    if (this.info.headline === 'inactive') void this.abandonedTasks.remove();
    this.lifetime.add(this.sessions.onSession((session) => this.agent.run(session)));
  }
}
