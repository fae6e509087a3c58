import { ClusterInfo } from '@gantry/cluster/service';
import { Clock, type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { TaskDirectory } from '@gantry/services/service';
import { ConsoleSurface } from '../surface.js';
import { sendChanges } from './send-changes.js';

/**
 * Says when what has no events has changed: this engine's part in a swarm, since events are those of a manager, and the tasks of
 * the swarm.
 */
@injectable()
export class SwarmRoutes implements DriverLifecycle {
  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(ClusterInfo.token) private readonly swarm: ClusterInfo,
    @inject(TaskDirectory.token) private readonly tasks: TaskDirectory,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(
      this.surface.routes('console-swarm', (router) => {
        router.get('/changes/swarm', (ctx) => sendChanges(ctx, this.clock, (changed) => this.swarm.onChange(changed)));
        router.get('/changes/tasks', (ctx) => sendChanges(ctx, this.clock, (changed) => this.tasks.onChange(changed)));
      }),
    );
  }
}
