import { mkdir, writeFile } from 'node:fs/promises';
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
import { type LaunchedTask, LaunchTask } from './launch-task.js';
import type { TaskPlan } from './plan-task.js';
import { type TaskRecord, writeRecord } from './task-record.js';

/** Makes bundles and has monitors create the tasks. */
@injectable()
export class CreateTask {
  constructor(
    @inject(BootId) private readonly bootId: BootId,
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
    @inject(SeccompFilters) private readonly filters: SeccompFilters,
    @inject(LaunchTask) private readonly launchTask: LaunchTask,
    @inject(Processes.token) private readonly processes: Processes,
  ) {}

  /** On rejection nothing runs in this process any more, and the caller removes what was created. */
  async create(plan: TaskPlan, outer?: AbortSignal): Promise<TaskRecord> {
    const { request, layout, runtime, spec } = plan;
    const { filters } = this;
    const operation = { deadline: 'create', who: 'the runtime', what: `create ${request.id}` } as const;
    return this.deadlines.run({ ...operation, signal: outer, awaitsWork: true }, async (signal) => {
      await mkdir(layout.directory, { mode: 0o700 });
      await writeFile(layout.bundle, JSON.stringify(filters.prepared(spec, runtime)));
      crashPoint('runtime.create.bundle');
      signal.throwIfAborted();
      const launched = await this.launchTask.launch(plan, signal);
      crashPoint('runtime.create.launched');
      await filters.learn(spec, runtime, layout.runtimeState);
      const [from, to] = [plan.sharedMemoryOf, launched.processes.first.pid];
      if (from !== undefined) await shareTmpfs({ from, to, path: '/dev/shm' });
      const enlarged = enlargeOutputPipe(this.processes, request, { ...launched.processes, others: plan.others });
      try {
        const record = await this.#describe(plan, launched);
        await writeRecord(layout, record);
        crashPoint('runtime.create.recorded');
        return record;
      } finally {
        await enlarged;
      }
    });
  }

  async #describe(plan: TaskPlan, { processes, executedAs }: LaunchedTask): Promise<TaskRecord> {
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
