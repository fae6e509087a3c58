import { mkdir, writeFile } from 'node:fs/promises';
import { type OciSpec, TaskStartError } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { abortable, inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { shareTmpfs } from '@gantry/lib-linux/files';
import { Processes } from '@gantry/lib-linux/processes';
import { consoleDirectory, removeConsoleDirectory } from '../console-directory.js';
import { Layout } from '../layout.js';
import { taskMonitorArguments } from '../monitor/monitor-arguments.js';
import { MonitorLauncher, readPid } from '../monitor/monitor-launcher.js';
import { OperationDeadlines } from '../operation-deadlines.js';
import { identify } from '../process-identity.js';
import { taskStartError } from '../runtime/runtime-error.js';
import { SeccompFilters } from '../runtime/seccomp-filters.js';
import { stdinPipeOf } from '../streams/stdin-pipe.js';
import { BootId } from '../tokens.js';
import { enlargeOutputPipe } from './enlarge-output-pipe.js';
import type { TaskPlan } from './plan-task.js';
import { type TaskRecord, writeRecord } from './task-record.js';

type TaskProcesses = Pick<TaskRecord, 'first' | 'monitor'>;

/** Makes bundles and has monitors create the tasks. */
@injectable()
export class CreateTask {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(BootId) private readonly bootId: BootId,
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
    @inject(SeccompFilters) private readonly filters: SeccompFilters,
    @inject(MonitorLauncher) private readonly monitors: MonitorLauncher,
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
      const processes = await this.#launch(plan, signal);
      crashPoint('runtime.create.launched');
      await filters.learn(spec, runtime, layout.runtimeState);
      const [from, to] = [plan.sharedMemoryOf, processes.first.pid];
      if (from !== undefined) await shareTmpfs({ from, to, path: '/dev/shm' });
      const enlarged = enlargeOutputPipe(this.processes, request, { ...processes, others: plan.others });
      try {
        const record = await this.#describe(plan, processes);
        await writeRecord(layout, record);
        crashPoint('runtime.create.recorded');
        return record;
      } finally {
        await enlarged;
      }
    });
  }

  /** @returns the monitor and the first process, which waits to be started. */
  async #launch(plan: TaskPlan, signal: AbortSignal): Promise<TaskProcesses> {
    const { request, layout, runtime } = plan;
    const { id, spec, openStdin, stdinOnce, spool } = request;
    const terminal = spec.process.terminal === true;
    const consoles = terminal ? await consoleDirectory(this.layout) : undefined;
    const args = taskMonitorArguments({
      id,
      runtime,
      runtimeRoot: this.layout.runtimeRoot,
      directory: layout.directory,
      pidFile: layout.pid,
      monitorPidFile: layout.monitorPid,
      terminal,
      openStdin,
      stdinOnce,
      spool,
    });
    try {
      const { directory } = layout;
      const monitor = await this.monitors.launch({ args, directory, consoles, scratch: directory });
      try {
        // Read while the runtime works.
        const monitorPid = monitor.inBackground.then(() => readPid(layout.monitorPid));
        const [report, pid] = await abortable(Promise.all([monitor.sync.next(), monitorPid]), signal);
        if (report === undefined || report.data <= 0) {
          throw taskStartError('create', report?.message ?? monitor.sync.printed, spec.process.args[0] ?? '');
        }
        return this.#identify(id, report.data, pid);
      } finally {
        monitor.close();
      }
    } finally {
      await removeConsoleDirectory(consoles);
    }
  }

  #identify(id: string, firstPid: number, monitorPid: number | undefined): TaskProcesses {
    const monitor = monitorPid === undefined ? undefined : identify(this.processes, monitorPid);
    if (monitor === undefined) throw internal(`the monitor of ${id} has exited`);
    const first = identify(this.processes, firstPid);
    if (first === undefined) {
      throw new TaskStartError(`the first process of ${id} has exited before it was started`, 128);
    }
    return { first, monitor };
  }

  async #describe(plan: TaskPlan, processes: TaskProcesses): Promise<TaskRecord> {
    const { request, runtime, cgroup } = plan;
    const { spec, openStdin, stdinOnce, spool } = request;
    const terminal = spec.process.terminal === true;
    const stdinPipe = openStdin && !terminal ? await stdinPipeOf(processes.first.pid) : undefined;
    return {
      version: 1,
      bootId: this.bootId,
      runtime: { ...runtime, args: [...runtime.args] },
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
