import { enginePlatform } from '@gantry/cluster/service';
import { ContainerControl } from '@gantry/containers/service';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, Semaphore } from '@gantry/core/driver';
import type { AgentSession, AssignedTask } from '@gantry/services/service';
import type { ContainerFacts } from '../containers/container-facts.js';
import { TaskContainers } from '../containers/task-containers.js';
import { TaskImages } from '../containers/task-images.js';
import { toCreateBody } from '../containers/to-create-body.js';
import { TaskFileStore } from '../files/task-file-store.js';

/** Seconds, unless the task says otherwise. */
const defaultGrace = 10;

/** Containers that are created or started at the same time. */
const concurrentStarts = 8;

/** What tasks need of the engine. Every operation may be repeated after a crash. */
@injectable()
export class TaskDriver {
  readonly #starts = new Semaphore(concurrentStarts);

  constructor(
    @inject(TaskContainers) private readonly containers: TaskContainers,
    @inject(ContainerControl.token) private readonly control: ContainerControl,
    @inject(TaskImages) private readonly images: TaskImages,
    @inject(TaskFileStore) private readonly files: TaskFileStore,
  ) {}

  facts(taskId: string, containerId: string | undefined): ContainerFacts {
    return this.containers.facts(taskId, containerId);
  }

  /** Creates the container with all it needs, and resolves to its id. */
  async create(task: AssignedTask, session: AgentSession): Promise<string> {
    await this.images.ensure(task, session);
    const mounts = await this.files.write(task.id, await session.filesOf(task));
    crashPoint('agent.create.files-written');
    const node = { id: session.nodeId, hostname: session.hostname, platform: enginePlatform };
    const body = toCreateBody(task, node);
    const id = await this.#starts.run(() => this.control.create(body, task.name, mounts));
    crashPoint('agent.create.created');
    return id;
  }

  async start(containerId: string): Promise<void> {
    await this.#starts.run(() => this.control.start(containerId));
    crashPoint('agent.start.started');
  }

  async stop(containerId: string, task: AssignedTask | undefined): Promise<void> {
    const grace = task?.spec.ContainerSpec?.StopGracePeriod;
    await this.control.stop(containerId, { seconds: grace === undefined ? defaultGrace : grace / 1e9 });
    crashPoint('agent.stop.stopped');
  }

  async remove(taskId: string, containerId: string | undefined): Promise<void> {
    if (containerId !== undefined) {
      await this.control.remove(containerId);
      crashPoint('agent.remove.removed');
    }
    await this.files.remove(taskId);
  }
}
