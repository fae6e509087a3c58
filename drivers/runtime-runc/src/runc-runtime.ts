import type {
  OciResources,
  RuntimeCapabilities,
  RuntimeDescription,
  RuntimeDriver,
  TaskExit,
  TaskPreparation,
  TaskRequest,
  TaskStats,
  TaskStatus,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { CgroupProcesses } from './exec/cgroup-processes.js';
import { RuntimeFacts } from './runtime/runtime-facts.js';
import { MonitoredIo } from './task/monitored-io.js';
import { TaskControl } from './task/task-control.js';
import { TaskLifecycle } from './task/task-lifecycle.js';
import { TaskObservation } from './task/task-observation.js';

/** OCI runtimes under conmon, one for each task and exec, so that both survive the daemon. */
@injectable()
export class RuncRuntime implements RuntimeDriver {
  readonly capabilities: RuntimeCapabilities;

  constructor(
    @inject(RuntimeFacts) private readonly facts: RuntimeFacts,
    @inject(TaskLifecycle) private readonly lifecycle: TaskLifecycle,
    @inject(TaskControl) private readonly control: TaskControl,
    @inject(TaskObservation) private readonly observation: TaskObservation,
    @inject(MonitoredIo) readonly io: MonitoredIo,
    @inject(CgroupProcesses) readonly processes: CgroupProcesses,
  ) {
    this.capabilities = facts.capabilities;
  }

  describe(): Promise<RuntimeDescription> {
    return this.facts.describe();
  }

  prepareTask(preparation: TaskPreparation): Promise<void> {
    return this.lifecycle.prepare(preparation);
  }

  create(request: TaskRequest, options: { readonly signal?: AbortSignal } = {}): Promise<TaskStatus> {
    return this.lifecycle.create(request, options.signal);
  }

  startTask(id: string): Promise<void> {
    return this.lifecycle.start(id);
  }

  kill(id: string, signal: number, options: { readonly all?: boolean } = {}): Promise<void> {
    return this.control.kill(id, signal, options.all ?? false);
  }

  pause(id: string): Promise<void> {
    return this.control.pause(id);
  }

  resume(id: string): Promise<void> {
    return this.control.resume(id);
  }

  update(id: string, resources: OciResources): Promise<void> {
    return this.control.update(id, resources);
  }

  delete(id: string, options: { readonly force?: boolean } = {}): Promise<void> {
    return this.lifecycle.delete(id, options.force ?? false);
  }

  async tasks(): Promise<readonly TaskStatus[]> {
    return this.observation.tasks();
  }

  async status(id: string): Promise<TaskStatus> {
    return this.observation.status(id);
  }

  stats(id: string): Promise<TaskStats> {
    return this.observation.stats(id);
  }

  onExit(listener: (exit: TaskExit) => void): () => void {
    return this.observation.onExit(listener);
  }

  onOom(listener: (id: string) => void): () => void {
    return this.observation.onOom(listener);
  }
}
