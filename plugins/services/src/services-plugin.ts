import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineApi } from '@gantry/engine-api/service';
import { AnswerAgents } from './agents/answer-agents.js';
import { SessionWork } from './control/session-work.js';
import { operations } from './routes/operations.js';
import { ServiceRoutes } from './routes/service-routes.js';
import { TaskRoutes } from './routes/task-routes.js';

/** The hooks of the package. */
@injectable()
export class ServicesPlugin implements DriverLifecycle {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(ServiceRoutes) private readonly serviceRoutes: ServiceRoutes,
    @inject(TaskRoutes) private readonly taskRoutes: TaskRoutes,
    @inject(SessionWork) private readonly work: SessionWork,
    @inject(AnswerAgents) private readonly agents: AnswerAgents,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(
      this.api.routes(
        'services',
        (router) => {
          this.serviceRoutes.declare(router);
          this.taskRoutes.declare(router);
        },
        operations,
      ),
    );
    this.work.start();
    this.agents.start();
  }
}
