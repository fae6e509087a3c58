import { join } from 'node:path';

/** Injects the paths of the driver's files. */
export const Layout = Symbol('gantry.runtime-runc.layout');

/** The paths of files that need not survive a reboot: everything is below the state directory. */
export interface Layout {
  /** Holds the files of all tasks, in memory; see MemoryState. */
  readonly memory: string;
  /** One directory a task. */
  readonly tasks: string;
  /** The runtimes' own state, separate from that of other users of the same runtimes. */
  readonly runtimeRoot: string;
  /** Short-lived sockets through which runtimes pass terminals to monitors. */
  readonly consoles: string;
  task(id: string): TaskLayout;
}

/** The bundle of a task, with everything its monitor writes. */
export interface TaskLayout {
  readonly directory: string;
  readonly bundle: string;
  /** Written when `create` has succeeded; a directory without it was orphaned by a crash. */
  readonly record: string;
  readonly pid: string;
  readonly monitorPid: string;
  /** Appears when the task has exited, with its code. */
  readonly exit: string;
  /** Appears instead when the exit code is lost. */
  readonly lost: string;
  /** Appears when the kernel has killed a process because memory ran out. */
  readonly oom: string;
  readonly oomSeen: string;
  readonly attach: string;
  readonly control: string;
  readonly execs: string;
  /** The runtime's own directory for the task. */
  readonly runtimeState: string;
  /** The first process blocks on it until it is opened. */
  readonly startFifo: string;
}

export function layoutBelow(state: string): Layout {
  const memory = join(state, 'memory');
  const [tasks, runtimeRoot] = [join(memory, 'tasks'), join(memory, 'runtime')];
  return {
    memory,
    tasks,
    runtimeRoot,
    consoles: join(state, 'tty'),
    task(id) {
      const directory = join(tasks, id);
      const runtimeState = join(runtimeRoot, id);
      return {
        directory,
        bundle: join(directory, 'config.json'),
        record: join(directory, 'task.json'),
        pid: join(directory, 'pid'),
        monitorPid: join(directory, 'monitor.pid'),
        exit: join(directory, 'exit'),
        lost: join(directory, 'lost'),
        oom: join(directory, 'oom'),
        oomSeen: join(directory, 'oom.seen'),
        attach: join(directory, 'attach'),
        control: join(directory, 'ctl'),
        execs: join(directory, 'execs'),
        runtimeState,
        startFifo: join(runtimeState, 'exec.fifo'),
      };
    },
  };
}
