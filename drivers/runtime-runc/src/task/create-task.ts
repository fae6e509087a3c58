import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { OciSpec } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { shareTmpfs } from '@gantry/lib-linux/files';
import { Processes } from '@gantry/lib-linux/processes';
import { OperationDeadlines } from '../operation-deadlines.js';
import { SeccompFilters } from '../runtime/seccomp-filters.js';
import { stdinPipeOf } from '../streams/stdin-pipe.js';
import { BootId } from '../tokens.js';
import { enlargeOutputPipe } from './enlarge-output-pipe.js';
import { LaunchMonitor, type WaitingMonitor } from './launch-monitor.js';
import { LaunchTask, type TaskProcesses } from './launch-task.js';
import type { TaskPlan } from './plan-task.js';
import { type TaskRecord, writeRecord } from './task-record.js';

/** Makes bundles and has monitors create the tasks. */
@injectable()
export class CreateTask {
  constructor(
    @inject(BootId) private readonly bootId: BootId,
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
    @inject(SeccompFilters) private readonly filters: SeccompFilters,
    @inject(LaunchMonitor) private readonly launchMonitor: LaunchMonitor,
    @inject(LaunchTask) private readonly launchTask: LaunchTask,
    @inject(Processes.token) private readonly processes: Processes,
  ) {}

  /**
   * Takes over the monitor, if one waits for the task. On rejection nothing runs in this process any more, and the caller
   * removes what was created.
   */
  async create(plan: TaskPlan, waiting?: WaitingMonitor, outer?: AbortSignal): Promise<TaskRecord> {
    const { request, layout, runtime, spec } = plan;
    const { filters } = this;
    const operation = { deadline: 'create', who: 'the runtime', what: `create ${request.id}` } as const;
    return this.deadlines.run({ ...operation, signal: outer, awaitsWork: true }, async (signal) => {
      const monitor = await this.#monitorOf(plan, waiting, signal);
      const processes = await this.launchTask.launch(plan, monitor, signal);
      crashPoint('runtime.create.launched');
      await filters.learn(spec, runtime, layout.runtimeState);
      const [from, to] = [plan.sharedMemoryOf, processes.first.pid];
      if (from !== undefined) await shareTmpfs({ from, to, path: '/dev/shm' });
      const enlarged = enlargeOutputPipe(this.processes, request, { ...processes, others: plan.others });
      try {
        const record = await this.#describe(plan, processes, monitor.executedAs);
        await writeRecord(layout, record);
        crashPoint('runtime.create.recorded');
        return record;
      } finally {
        await enlarged;
      }
    });
  }

  /** Writes the bundle of a monitor that waits: of the one there is, unless the task needs another. */
  async #monitorOf(
    { layout, runtime, spec, monitor: request }: TaskPlan,
    waiting: WaitingMonitor | undefined,
    signal: AbortSignal,
  ): Promise<WaitingMonitor> {
    const isSuitable = isDeepStrictEqual(waiting?.request, request);
    if (!isSuitable) await waiting?.abandon();
    const monitor = waiting !== undefined && isSuitable ? waiting : await this.launchMonitor.launch(request);
    try {
      await writeFile(layout.bundle, JSON.stringify(this.filters.prepared(spec, runtime)));
      crashPoint('runtime.create.bundle');
      signal.throwIfAborted();
      return monitor;
    } catch (error) {
      await monitor.abandon();
      throw error;
    }
  }

  async #describe(plan: TaskPlan, processes: TaskProcesses, executedAs: string | undefined): Promise<TaskRecord> {
    const { request, runtime, cgroup } = plan;
    const { spec, openStdin, stdinOnce, spool } = request;
    const terminal = spec.process.terminal === true;
    const stdinPipe = openStdin && !terminal ? await stdinPipeOf(processes.first.pid) : undefined;
    return {
      version: 1,
      bootId: this.bootId,
      runtime: { ...runtime, args: [...runtime.args], ...(executedAs !== undefined && { executedAs }) },
      cgroup,
      ...processes,
      program: spec.process.args[0] ?? '',
      terminal,
      stdin: stdinKind(openStdin, stdinOnce),
      ...(stdinPipe !== undefined && { stdinPipe }),
      ...(spool !== undefined && { spool }),
      hooks: { poststart: hasHooks(spec, 'poststart'), poststop: hasHooks(spec, 'poststop') },
    };
  }
}

function stdinKind(openStdin: boolean, stdinOnce: boolean): TaskRecord['stdin'] {
  if (!openStdin) return 'none';
  return stdinOnce ? 'once' : 'open';
}

const hasHooks = (spec: OciSpec, kind: string): boolean => (spec.hooks?.[kind] ?? []).length > 0;
