import { mkdir, writeFile } from 'node:fs/promises';
import type { ExecRequest } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { conflict, invalidArgument } from '@gantry/core/errors';
import type { RuntimeContext } from '../context.js';
import { underDeadline } from '../deadline.js';
import { removeDirectory } from '../task/remove-directory.js';
import type { Task } from '../task/task.js';
import { execLayout } from './exec-layout.js';
import type { ExecStart } from './exec-start.js';
import { startMonitoredExec } from './monitored-exec.js';
import { startPipedExec } from './piped-exec.js';
import { RunningExec, type StartedExec } from './running-exec.js';

/** Has the runtime start a further process in a task. */
export async function startExec(
  context: RuntimeContext,
  task: Task,
  request: ExecRequest,
  signal?: AbortSignal,
): Promise<RunningExec> {
  const { execId } = request;
  const { status } = task.living;
  if (status === 'paused') throw conflict(`Container ${task.id} is paused, unpause the container before exec`);
  if (status === 'created') throw conflict(`Container ${task.id} is not running`);
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(execId)) throw invalidArgument(`"${execId}" is not an exec id`);
  if (task.execs.has(execId)) throw conflict(`exec ${execId} exists already`);
  task.execs.add(execId);
  const layout = execLayout(task, execId);
  const forget = async (): Promise<void> => {
    task.execs.delete(execId);
    const removed = removeDirectory(layout.directory).finally(() => task.endedExecs.delete(execId));
    task.endedExecs.set(execId, removed);
    await removed;
  };
  const deadline = { who: 'the runtime', what: `exec in ${task.id}`, milliseconds: context.config.deadlines.exec };
  try {
    const started = await underDeadline({ ...deadline, signal }, async (ending) => {
      await task.endedExecs.get(execId)?.catch(() => undefined);
      await mkdir(layout.directory, { recursive: true, mode: 0o700 });
      await writeFile(layout.process, JSON.stringify(request.process));
      crashPoint('runtime.exec.written');
      ending.throwIfAborted();
      return context.execForms.start(task.living.record.runtime, (runtime) =>
        start({ context, task, runtime, request, layout, signal: ending }),
      );
    });
    crashPoint('runtime.exec.started');
    return new RunningExec(context.ports, started, forget);
  } catch (error) {
    await forget();
    throw error;
  }
}

/**
 * A process gets a monitor, which is small and outlives the daemon. Only crun can do as well without: with somebody
 * listening it waits for the process itself, which saves the start of the monitor. (runc copies the output when it
 * waits, and goes on as long as anything holds the pipes.)
 */
function start(exec: ExecStart): Promise<StartedExec> {
  const { request, runtime } = exec;
  const isPiped = !request.detached && request.process.terminal !== true;
  return isPiped && runtime.kind === 'crun' ? startPipedExec(exec) : startMonitoredExec(exec);
}
