import { ContainerService } from '@gantry/containers/service';
import { inject, injectable, untilAborted } from '@gantry/core/driver';
import type { AgentSession } from '@gantry/services/service';
import { HealthStates } from './containers/health-states.js';
import { TaskContainers } from './containers/task-containers.js';
import { RoutingMesh } from './mesh/routing-mesh.js';
import { FollowNetworks } from './networks/follow-networks.js';
import { AgentRun } from './tasks/agent-run.js';
import { LatestChange } from './tasks/latest-change.js';
import { WorkerFactory } from './tasks/worker-factory.js';

/** Runs the tasks of this node as long as a session lasts. */
@injectable()
export class NodeAgent {
  constructor(
    @inject(ContainerService.token) private readonly containers: Pick<ContainerService, 'onExit'>,
    @inject(TaskContainers) private readonly taskContainers: TaskContainers,
    @inject(HealthStates) private readonly health: HealthStates,
    @inject(RoutingMesh) private readonly mesh: RoutingMesh,
    @inject(WorkerFactory) private readonly workers: WorkerFactory,
    @inject(FollowNetworks) private readonly networks: FollowNetworks,
  ) {}

  /** Resolves when the session has ended, and when it has left, once all its containers are removed. */
  async run(session: AgentSession): Promise<void> {
    const { reporter, tools } = this.workers.toolsFor(session);
    const run = new AgentRun(tools);
    const changes = new LatestChange(async () => {
      await this.#follow(session);
      run.update();
    }, tools.log);
    const releases = [
      session.onChange(() => changes.notify()),
      this.containers.onExit((id) => run.notify(id)),
      this.health.onChange((id) => run.notify(id)),
    ];
    await this.networks.begin(session);
    await this.#follow(session);
    run.begin(this.taskContainers.all());
    await untilAborted(session.signal);
    if (session.hasLeft()) await run.abandon();
    for (const release of releases) release();
    await changes.idle();
    this.networks.end();
    if (session.hasLeft()) await this.mesh.close();
    await reporter.flush();
  }

  /** What follows in the same change, such as the stop of a task, comes after names, virtual addresses and ports. */
  async #follow(session: AgentSession): Promise<void> {
    const revision = session.traffic.revision();
    await this.networks.update();
    await this.mesh.update(session);
    await this.networks.confirm(session, revision);
  }
}
