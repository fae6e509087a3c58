import { ContainerLogs, type LogRequest, LogSources } from '@gantry/container-logs/service';
import { ContainerService } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import type { ListedTask } from '@gantry/services/service';
import { taskIdLabel } from '../containers/task-labels.js';
import { LabelledLines } from './labelled-lines.js';

/** The logs of the tasks that this node runs, or has run and keeps. */
@injectable()
export class TaskLogs {
  constructor(
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'read'>,
    @inject(LogSources.token) private readonly sources: LogSources,
    @inject(ContainerService.token) private readonly containers: Pick<ContainerService, 'list'>,
  ) {}

  /** Whether this node has the container of a task. */
  has(task: ListedTask): boolean {
    return this.#containerOf(task) !== undefined;
  }

  /** With `details` every line says which task of which node it is from. */
  async *read(task: ListedTask, { details = false, ...request }: LogRequest): AsyncIterable<Uint8Array> {
    const id = this.#containerOf(task);
    if (id === undefined) return;
    const { timestamps = false } = request;
    const lines = new LabelledLines({ label: details ? contextOf(task) : '', timestamps, raw: task.terminal });
    for await (const bytes of this.logs.read(this.sources.source(id), request)) {
      const labelled = lines.push(bytes);
      if (labelled.length > 0) yield labelled;
    }
  }

  #containerOf(task: ListedTask): string | undefined {
    return this.containers.list().find(({ config }) => config.Labels?.[taskIdLabel] === task.id)?.id;
  }
}

/** By which clients distinguish the tasks. */
const contextOf = ({ id, nodeId, serviceId }: ListedTask): string =>
  [
    ['node.id', nodeId],
    ['service.id', serviceId],
    ['task.id', id],
  ]
    .map(([key, value]) => `com.docker.swarm.${key}=${value}`)
    .join(',');
