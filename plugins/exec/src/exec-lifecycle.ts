import { ContainerService } from '@gantry/containers/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { ExecStore } from './exec-store.js';

/** Lists the instances in the inspection of containers, and follows the exits of containers. */
@injectable()
export class ExecLifecycle {
  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ExecStore) private readonly store: ExecStore,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.containers.addExecs((containerId) => this.store.idsOf(containerId)));
    this.lifetime.add(this.containers.onExit((containerId) => this.store.deleteUnstarted(containerId)));
  }
}
