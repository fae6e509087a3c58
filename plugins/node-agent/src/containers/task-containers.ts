import { ContainerService } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { type ContainerFacts, factsOf } from './container-facts.js';
import { HealthStates } from './health-states.js';
import { taskIdLabel } from './task-labels.js';

/** Finds the containers of tasks by their labels, so that nothing has to be remembered over a crash. */
@injectable()
export class TaskContainers {
  constructor(
    @inject(ContainerService.token) private readonly containers: Pick<ContainerService, 'find' | 'list'>,
    @inject(HealthStates) private readonly health: Pick<HealthStates, 'of'>,
  ) {}

  /** Container ids by task id. */
  all(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const { config, id } of this.containers.list()) {
      const taskId = config.Labels?.[taskIdLabel];
      if (taskId !== undefined) found.set(taskId, id);
    }
    return found;
  }

  /** Of a container that was found before, or is looked for by its task. */
  facts(taskId: string, containerId: string | undefined): ContainerFacts {
    const id = containerId ?? this.all().get(taskId);
    const record = id === undefined ? undefined : this.containers.find(id);
    return factsOf(record, record === undefined ? 'none' : this.health.of(record));
  }
}
