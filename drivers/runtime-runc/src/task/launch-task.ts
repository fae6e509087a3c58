import { TaskStartError } from '@gantry/core/contracts';
import { abortable, inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { Processes } from '@gantry/lib-linux/processes';
import { readPid } from '../monitor/monitor-launcher.js';
import { identify } from '../process-identity.js';
import { taskStartError } from '../runtime/runtime-error.js';
import type { WaitingMonitor } from './launch-monitor.js';
import type { TaskPlan } from './plan-task.js';
import type { TaskRecord } from './task-record.js';

/** The processes of a task whose program has not run. */
export type TaskProcesses = Pick<TaskRecord, 'first' | 'monitor'>;

/** Has monitors create tasks. */
@injectable()
export class LaunchTask {
  constructor(@inject(Processes.token) private readonly processes: Processes) {}

  /** Closes the monitor. Resolves when the first process waits to be started. */
  async launch({ request, layout }: TaskPlan, monitor: WaitingMonitor, signal: AbortSignal): Promise<TaskProcesses> {
    const { id, spec } = request;
    try {
      await monitor.proceed();
      // Read while the runtime works.
      const monitorPid = monitor.inBackground.then(() => readPid(layout.monitorPid));
      const [report, pid] = await abortable(Promise.all([monitor.sync.next(), monitorPid]), signal);
      if (report === undefined || report.data <= 0) {
        throw taskStartError('create', report?.message ?? monitor.sync.printed, spec.process.args[0] ?? '');
      }
      return this.#identify(id, report.data, pid);
    } finally {
      await monitor.close();
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
