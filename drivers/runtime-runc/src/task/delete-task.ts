import { crashPoint } from '@gantry/core/crash-points';
import { conflict } from '@gantry/core/errors';
import type { RuntimeContext } from '../context.js';
import { settlesWithin, untilAborted, withDeadline } from '../deadline.js';
import { isAlive, type ProcessIdentity, signal } from '../process-identity.js';
import { killTask, SIGKILL } from './kill-task.js';
import { purge } from './purge.js';
import { removeBroken } from './remove-broken.js';
import { removeDirectory } from './remove-directory.js';
import type { Task } from './task.js';
import type { TaskRecord } from './task-record.js';

/** How long the end of a task is waited for politely, in ms. */
const patience = 1_000;

/** @throws EngineError `conflict` for a task that runs, without force. */
export function checkDeletable({ id, isLiving, state: { status } }: Task, force: boolean): void {
  if (force || !isLiving || status === 'created') return;
  throw conflict(`Cannot delete container ${id}: it is ${status}. Stop it first, or use force`);
}

/** Removes a task with everything of it. The directory goes last: until then the next daemon finds the rest. */
export async function deleteTask(context: RuntimeContext, task: Task): Promise<void> {
  if (task.isLiving) await end(context, task);
  const { state } = task;
  if (state.status === 'exited') {
    // It began with the exit, and is usually over. What failed there is tried once more.
    await (task.purged ?? Promise.reject()).catch(() => purgeTask(context, task.id, state.record));
    await waitForMonitor(context, task.id, state.record.monitor);
  } else {
    await removeBroken(context, task.id, task.layout);
  }
  crashPoint('runtime.delete.purged');
  task.unwatch?.();
  task.streams?.close();
  await removeDirectory(task.layout.directory);
}

/** Takes away what is left of a task that has exited, except for its directory, which has its exit. */
export function purgeTask(context: RuntimeContext, id: string, record: TaskRecord): Promise<void> {
  const { runtimeState } = context.layout.task(id);
  return withDeadline(
    { who: 'the kernel', what: `clean up after ${id}`, milliseconds: context.config.deadlines.exit },
    (ending) =>
      purge(context.ports, {
        id,
        runtime: record.runtime,
        runtimeRoot: context.layout.runtimeRoot,
        runtimeState,
        cgroup: record.cgroup,
        byRuntime: record.hooks.poststop,
        signal: ending,
      }),
  );
}

/** Kills everything of a task and waits for its exit. */
async function end(context: RuntimeContext, task: Task): Promise<void> {
  const { id } = task;
  const deadline = { who: `container ${id}`, what: 'a kill', milliseconds: context.config.deadlines.exit };
  await withDeadline(deadline, async (ending) => {
    await killTask(context, task, SIGKILL, true).catch((error: unknown) => {
      // It may have ended by itself.
      if (task.isLiving && isAlive(context.ports.processes, task.living.record.first)) throw error;
    });
    // A monitor waits for whoever has attached to read, even at the end.
    if (!(await settlesWithin(task.ended, patience, ending))) task.streams?.close();
    await untilAborted(task.ended, ending);
  });
}

/** The monitor ends right after it has recorded the exit, unless something it was to wait for goes on. */
async function waitForMonitor({ ports, config }: RuntimeContext, id: string, monitor: ProcessIdentity): Promise<void> {
  if (!isAlive(ports.processes, monitor)) return;
  const watch = ports.watcher.processExit(monitor.pid);
  const deadline = { who: `the monitor of ${id}`, what: 'end', milliseconds: config.deadlines.exit };
  try {
    await withDeadline(deadline, async (ending) => {
      if (!(await settlesWithin(watch.exited, patience, ending))) signal(ports.processes, monitor, SIGKILL);
      await untilAborted(watch.exited, ending);
    });
  } finally {
    watch.close();
  }
}
