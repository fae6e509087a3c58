import { ContainerService } from '@gantry/containers/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { ExecService } from './exec-service.js';
import { ExecRoutes } from './routes.js';

/** What the kernel calls of this package. */
@injectable()
export class ExecLifecycle {
  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ExecService) private readonly execs: ExecService,
    @inject(ExecRoutes) private readonly routes: ExecRoutes,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.containers.addExecs((containerId) => this.execs.idsOf(containerId)));
    this.lifetime.add(this.containers.onExit((containerId) => this.execs.containerExited(containerId)));
    await this.routes.start();
  }
}
