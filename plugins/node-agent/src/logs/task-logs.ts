import { Readable } from 'node:stream';
import { ContainerLogs, type LogRequest, LogSources } from '@gantry/container-logs/service';
import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import type { ListedTask } from '@gantry/services/service';
import { TaskContainers } from '../containers/task-containers.js';
import { LabelledLines } from './labelled-lines.js';

/** The logs of the tasks that this node runs, or has run and keeps. */
@injectable()
export class TaskLogs {
  constructor(
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'read'>,
    @inject(LogSources.token) private readonly sources: LogSources,
    @inject(TaskContainers) private readonly containers: Pick<TaskContainers, 'find'>,
  ) {}

  /** Whether this node has the container of a task. */
  has(task: ListedTask): boolean {
    return this.containers.find(task.id) !== undefined;
  }

  /** With `details` every line says which task of which node it is from. */
  async *read(task: ListedTask, { details = false, ...request }: LogRequest): AsyncIterable<Uint8Array> {
    const id = this.containers.find(task.id);
    if (id === undefined) return;
    const { timestamps = false } = request;
    const lines = new LabelledLines({ label: details ? contextOf(task) : '', timestamps, raw: task.terminal });
    for await (const bytes of this.#lines(id, request)) {
      const labelled = lines.push(bytes);
      if (labelled.length > 0) yield labelled;
    }
  }

  /** Nothing of a task whose log driver cannot be read: the logs of others in the same answer are not cut off for it. */
  #lines(containerId: string, request: Omit<LogRequest, 'details'>): AsyncIterable<Uint8Array> {
    try {
      return this.logs.read(this.sources.source(containerId), request);
    } catch (error) {
      if (kindOf(error) === 'not-implemented') return Readable.from([]);
      throw error;
    }
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
