import { join } from 'node:path';
import type { Task } from '../task/task.js';

/** Where a further process of a task has its files. */
export interface ExecLayout {
  readonly directory: string;
  readonly process: string;
  /** Written by the runtime when the process has been started. */
  readonly pid: string;
  readonly monitorPid: string;
  readonly attach: string;
  readonly control: string;
  /** The runtime's own log, where it has a terminal instead of a standard error. */
  readonly log: string;
}

export function execLayout(task: Task, execId: string): ExecLayout {
  const directory = join(task.layout.execs, execId);
  return {
    directory,
    process: join(directory, 'process.json'),
    pid: join(directory, 'pid'),
    monitorPid: join(directory, 'monitor.pid'),
    attach: join(directory, 'attach'),
    control: join(directory, 'ctl'),
    log: join(directory, 'runtime.log'),
  };
}
