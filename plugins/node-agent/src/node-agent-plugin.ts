import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { AgentSessions } from '@gantry/services/service';
import { TaskLogRoutes } from './logs/task-log-routes.js';
import { NodeAgent } from './node-agent.js';

/** The hooks of the package. */
@injectable()
export class NodeAgentPlugin implements DriverLifecycle {
  constructor(
    @inject(AgentSessions.token) private readonly sessions: AgentSessions,
    @inject(NodeAgent) private readonly agent: NodeAgent,
    @inject(TaskLogRoutes) private readonly logRoutes: TaskLogRoutes,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.logRoutes.start();
  }

  /** Containers that ran before the engine's start are known by now. */
  async ready(): Promise<void> {
    this.lifetime.add(this.sessions.onSession((session) => this.agent.run(session)));
  }
}
