import { TaskStartError } from '@gantry/core/contracts';
import { abortable, inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { Processes } from '@gantry/lib-linux/processes';
import { consoleDirectory, removeConsoleDirectory } from '../console-directory.js';
import { Layout } from '../layout.js';
import { taskMonitorArguments } from '../monitor/monitor-arguments.js';
import { MonitorLauncher, readPid } from '../monitor/monitor-launcher.js';
import { identify } from '../process-identity.js';
import { CreateForms } from '../runtime/create-forms.js';
import type { OciRuntime } from '../runtime/oci-runtime.js';
import { taskStartError } from '../runtime/runtime-error.js';
import type { TaskPlan } from './plan-task.js';
import type { TaskRecord } from './task-record.js';

type TaskProcesses = Pick<TaskRecord, 'first' | 'monitor'>;

/** A task whose first process waits to be started. */
export interface LaunchedTask {
  readonly processes: TaskProcesses;
  /** See `OciRuntime`. */
  readonly executedAs: string | undefined;
}

interface Launch {
  readonly runtime: OciRuntime;
  /** The directory for the socket of its terminal; undefined: it has none. */
  readonly consoles: string | undefined;
  readonly signal: AbortSignal;
}

/** Starts the monitors of tasks and has them create the tasks. */
@injectable()
export class LaunchTask {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(MonitorLauncher) private readonly monitors: MonitorLauncher,
    @inject(Processes.token) private readonly processes: Processes,
    @inject(CreateForms) private readonly forms: CreateForms,
  ) {}

  async launch(plan: TaskPlan, signal: AbortSignal): Promise<LaunchedTask> {
    const terminal = plan.request.spec.process.terminal === true;
    const consoles = terminal ? await consoleDirectory(this.layout) : undefined;
    try {
      const form = await this.forms.open(plan.runtime);
      try {
        const processes = await this.#launch(plan, { runtime: form.runtime, consoles, signal });
        return { processes, executedAs: form.runtime.executedAs };
      } finally {
        form.close();
      }
    } finally {
      await removeConsoleDirectory(consoles);
    }
  }

  async #launch({ request, layout }: TaskPlan, { runtime, consoles, signal }: Launch): Promise<TaskProcesses> {
    const { id, spec, openStdin, stdinOnce, spool } = request;
    const { directory } = layout;
    const args = taskMonitorArguments({
      id,
      runtime,
      runtimeRoot: this.layout.runtimeRoot,
      directory,
      pidFile: layout.pid,
      monitorPidFile: layout.monitorPid,
      terminal: consoles !== undefined,
      openStdin,
      stdinOnce,
      spool,
    });
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
}
