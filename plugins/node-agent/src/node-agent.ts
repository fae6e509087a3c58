import { ContainerService } from '@gantry/containers/service';
import { type Clock, inject, injectable, untilAborted } from '@gantry/core/driver';
import type { AgentSession } from '@gantry/services/service';
import { HealthStates } from './containers/health-states.js';
import { TaskContainers } from './containers/task-containers.js';
import { PublishedPorts } from './ports/published-ports.js';
import { AgentRun } from './tasks/agent-run.js';
import { WorkerFactory } from './tasks/worker-factory.js';

/** Milliseconds between checks for tasks that are still being removed when the node leaves. */
const leavePause = 200;

/** Runs the tasks of this node as long as a session lasts. */
@injectable()
export class NodeAgent {
  constructor(
    @inject(ContainerService.token) private readonly containers: Pick<ContainerService, 'onExit'>,
    @inject(TaskContainers) private readonly taskContainers: TaskContainers,
    @inject(HealthStates) private readonly health: HealthStates,
    @inject(PublishedPorts) private readonly ports: PublishedPorts,
    @inject(WorkerFactory) private readonly workers: WorkerFactory,
  ) {}

  /** Resolves when the session has ended, and when it has left, once all its containers are removed. */
  async run(session: AgentSession): Promise<void> {
    const { reporter, tools } = this.workers.toolsFor(session);
    const run = new AgentRun(tools);
    const releases = [
      session.onChange(() => {
        run.update();
        this.ports.follow(session);
      }),
      this.containers.onExit((id) => run.notify(id)),
      this.health.onChange((id) => run.notify(id)),
    ];
    run.begin(this.taskContainers.all());
    this.ports.follow(session);
    await untilAborted(session.signal);
    if (session.hasLeft()) await this.#leave(run, tools.clock);
    for (const release of releases) release();
    await this.ports.close();
    await reporter.flush();
  }

  async #leave(run: AgentRun, clock: Clock): Promise<void> {
    run.abandon();
    while (!run.isEmpty) await new Promise<void>((resolve) => clock.after(leavePause, resolve));
  }
}
