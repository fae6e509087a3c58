import { type ContainerRecord, ContainerService } from '@gantry/containers/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import { type ContainerFacts, factsOf } from './container-facts.js';
import { HealthStates } from './health-states.js';
import { taskIdLabel } from './task-labels.js';

/** Finds the containers of tasks by their labels, so that nothing has to be remembered over a crash. */
@injectable()
export class TaskContainers {
  /** Container ids by task id; undefined until the containers are first asked for. */
  #byTask: Map<string, string> | undefined;

  constructor(
    @inject(ContainerService.token) private readonly containers: Pick<ContainerService, 'find' | 'list'>,
    @inject(HealthStates) private readonly health: Pick<HealthStates, 'of'>,
    @inject(EngineEvents) events: Pick<EngineEvents, 'subscribe'>,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(
      events.subscribe(({ action, actor, type }) => {
        const taskId = type === 'container' ? actor.attributes[taskIdLabel] : undefined;
        if (taskId === undefined) return;
        if (action === 'create') this.#byTask?.set(taskId, actor.id);
        if (action === 'destroy' && this.#byTask?.get(taskId) === actor.id) this.#byTask.delete(taskId);
      }),
    );
  }

  /** Container ids by task id. */
  all(): ReadonlyMap<string, string> {
    this.#byTask ??= new Map(this.containers.list().flatMap(taskAndContainer));
    return this.#byTask;
  }

  /** The id of a task's container. */
  find(taskId: string): string | undefined {
    return this.all().get(taskId);
  }

  /** Of a container that was found before, or is looked for by its task. */
  facts(taskId: string, containerId: string | undefined): ContainerFacts {
    const id = containerId ?? this.find(taskId);
    const record = id === undefined ? undefined : this.containers.find(id);
    return factsOf(record, record === undefined ? 'none' : this.health.of(record));
  }
}

function taskAndContainer({ config, id }: ContainerRecord): readonly (readonly [string, string])[] {
  const taskId = config.Labels?.[taskIdLabel];
  return taskId === undefined ? [] : [[taskId, id]];
}
