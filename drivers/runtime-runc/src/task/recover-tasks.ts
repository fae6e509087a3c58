import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@gantry/core/errors';
import type { RuntimeContext } from '../context.js';
import { ifThere } from '../errno.js';
import { processesOfBundle } from '../monitor/find-monitors.js';
import { readPid } from '../monitor/monitor-launch.js';
import { isAlive } from '../process-identity.js';
import { isOfRuntime } from '../runtime/oci-runtime.js';
import { SIGKILL } from './kill-task.js';
import { removeBroken } from './remove-broken.js';
import { removeDirectory } from './remove-directory.js';
import { Task, type TaskState } from './task.js';
import { readExit, writeLostExit } from './task-exit.js';
import { readRecord, type TaskRecord } from './task-record.js';

/** The tasks of earlier daemons, in their states of now. Nothing watches them yet. */
export async function recoverTasks(context: RuntimeContext): Promise<readonly Task[]> {
  const { layout } = context;
  // What a terminal was being handed over through; nobody can go on with that.
  await attempt(context, layout.consoles, () => rm(layout.consoles, { recursive: true, force: true }));
  const ids = await readdir(layout.tasks);
  await removeStrangers(context, new Set(ids));
  return Promise.all(ids.map((id) => recoverOrGiveUp(context, id)));
}

/** Takes away what runtimes keep of tasks that are not there: their removal was cut. */
async function removeStrangers(context: RuntimeContext, ids: ReadonlySet<string>): Promise<void> {
  for (const id of await readdir(context.layout.runtimeRoot)) {
    if (!ids.has(id)) await attempt(context, id, () => removeBroken(context, id, context.layout.task(id)));
  }
}

/** What cannot be read or removed is reported, and keeps the daemon from nothing else. */
async function attempt(context: RuntimeContext, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.warn({ event: 'task.orphan', what, reason: messageOf(error) }, 'something is left over');
  }
}

async function recoverOrGiveUp(context: RuntimeContext, id: string): Promise<Task> {
  try {
    return await recoverTask(context, id);
  } catch (error) {
    const reason = `what is known of it cannot be read: ${messageOf(error)}`;
    context.log.error({ event: 'task.unreadable', task: id, reason: messageOf(error) }, reason);
    return new Task(id, context.layout.task(id), { status: 'broken', reason });
  }
}

async function recoverTask(context: RuntimeContext, id: string): Promise<Task> {
  const layout = context.layout.task(id);
  const record = await readRecord(layout);
  if (record === undefined) {
    // Whoever is still preparing it must not get any further.
    for (const pid of await processesOfBundle(layout.directory)) context.ports.processes.kill(pid, SIGKILL);
    return new Task(id, layout, { status: 'broken', reason: 'its creation was cut' });
  }
  const task = new Task(id, layout, await stateNow(context, id, record));
  await attempt(context, task.layout.execs, () => forgetExecs(context, task));
  return task;
}

async function stateNow(context: RuntimeContext, id: string, record: TaskRecord): Promise<TaskState> {
  const layout = context.layout.task(id);
  const { processes, cgroups } = context.ports;
  const isOfThisBoot = record.bootId === context.bootId;
  // Looked at first: when it is gone, whatever it was to write is there.
  const isWatched = isOfThisBoot && isAlive(processes, record.monitor);
  const exit = await readExit(id, layout);
  if (exit !== undefined) return { status: 'exited', record, exit };
  if (!isWatched) {
    const reason = isOfThisBoot ? 'the monitor of the container was killed' : 'the host was started again';
    await writeLostExit(layout, reason);
    const lost = await readExit(id, layout);
    if (lost !== undefined) return { status: 'exited', record, exit: lost };
  }
  if (await isWaiting(context, id, record)) return { status: 'created', record };
  const isFrozen = await (await cgroups.group(record.cgroup)).isFrozen().catch(() => false);
  return { status: isFrozen ? 'paused' : 'running', record };
}

/** Whether the first process has not been let go: the FIFO is there and the program is still the runtime. */
async function isWaiting(context: RuntimeContext, id: string, record: TaskRecord): Promise<boolean> {
  const names = (await ifThere(readdir(context.layout.task(id).runtimeState))) ?? [];
  if (!names.includes('exec.fifo')) return false;
  const commandLine = (await ifThere(readFile(`/proc/${record.first.pid}/cmdline`, 'utf8'))) ?? '';
  return record.runtime.kind === 'other' || commandLine === '' || isOfRuntime(commandLine, record.runtime);
}

/** Removes what ended execs of an earlier daemon left. Those that go on keep theirs until the task goes. */
async function forgetExecs(context: RuntimeContext, task: Task): Promise<void> {
  const { execs } = task.layout;
  for (const name of (await ifThere(readdir(execs))) ?? []) {
    const monitor = await readPid(join(execs, name, 'monitor.pid'));
    const isThere = monitor !== undefined && context.ports.processes.isAlive(monitor);
    if (!isThere) await removeDirectory(join(execs, name));
  }
}
