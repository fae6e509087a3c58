import { type TaskRequest, TaskStartError } from '@gantry/core/contracts';
import { conflict, messageOf } from '@gantry/core/errors';
import type { RuntimeContext } from '../context.js';
import { withDeadline } from '../deadline.js';
import { createTask, planTask, type TaskPlan } from './create-task.js';
import { purge } from './purge.js';
import { removeBroken } from './remove-broken.js';
import { removeDirectory } from './remove-directory.js';
import { Task } from './task.js';
import type { TaskRegistry } from './task-registry.js';

/** Creates a task and begins to watch over it, or leaves nothing. */
export async function prepareTask(
  context: RuntimeContext,
  registry: TaskRegistry,
  request: TaskRequest,
  signal?: AbortSignal,
): Promise<Task> {
  const { id } = request;
  const plan = planTask(context, registry, request);
  if (registry.find(id) !== undefined) throw conflict(`task ${id} exists already`);
  const task = new Task(id, plan.layout, { status: 'creating' });
  registry.add(task);
  const prepared = prepare(context, registry, task, plan, signal);
  task.prepared = prepared.catch(() => undefined);
  await prepared;
  return task;
}

async function prepare(
  context: RuntimeContext,
  registry: TaskRegistry,
  task: Task,
  plan: TaskPlan,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await context.memory.enter();
    const record = await createTask(context, plan, signal);
    task.state = { status: 'created', record };
    // Whether it was killed already is not worth waiting for.
    void registry.watch(task);
  } catch (error) {
    await undo(context, registry, task, plan, error);
    throw error;
  }
}

async function undo(
  context: RuntimeContext,
  registry: TaskRegistry,
  task: Task,
  plan: TaskPlan,
  cause: unknown,
): Promise<void> {
  task.unwatch?.();
  try {
    if (cause instanceof TaskStartError) await purgeRefused(context, plan);
    else await removeBroken(context, task.id, task.layout, plan.cgroup);
    await removeDirectory(task.layout.directory);
    registry.remove(task);
  } catch (error) {
    const reason = `what its failed creation left could not be removed: ${messageOf(error)}`;
    task.state = { status: 'broken', reason };
    context.log.warn({ event: 'task.undo-failed', task: task.id, error: messageOf(error) }, reason);
  }
}

/** The runtime has answered, so nobody goes on with it, and it has cleaned up most by itself. */
function purgeRefused(context: RuntimeContext, { request: { id }, layout, runtime, cgroup }: TaskPlan): Promise<void> {
  const { runtimeRoot } = context.layout;
  const { runtimeState } = layout;
  const deadline = { who: 'the kernel', what: `clean up after ${id}`, milliseconds: context.config.deadlines.exit };
  return withDeadline(deadline, (signal) =>
    purge(context.ports, { id, runtime, runtimeRoot, runtimeState, cgroup, byRuntime: false, signal }),
  );
}
