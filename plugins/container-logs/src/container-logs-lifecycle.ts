import { inject, injectable } from '@gantry/core/driver';
import { ContainerLogsService } from './container-logs-service.js';
import { ContainerLogRoutes } from './routes.js';

/** The hooks of the package. */
@injectable()
export class ContainerLogsLifecycle {
  constructor(
    @inject(ContainerLogRoutes) private readonly routes: ContainerLogRoutes,
    @inject(ContainerLogsService) private readonly logs: ContainerLogsService,
  ) {}

  async start(): Promise<void> {
    this.routes.add();
  }

  /** Containers go on writing their spools. */
  async stop(): Promise<void> {
    await this.logs.close();
  }

  onIdle(): void {
    this.logs.onIdle();
  }
}
