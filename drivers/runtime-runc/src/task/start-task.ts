import { close, constants, open, write } from 'node:fs';
import { readFile, unlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { TaskStartError } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { conflict } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import { readableFrom } from '@gantry/lib-linux/launcher';
import type { RuntimeContext } from '../context.js';
import { untilAborted, withDeadline } from '../deadline.js';
import { ifThere } from '../errno.js';
import { commonArguments, isOfRuntime, scratchIn } from '../runtime/oci-runtime.js';
import { taskStartError } from '../runtime/runtime-error.js';
import type { Task } from './task.js';
import type { TaskRecord } from './task-record.js';

/** What lies in the FIFO when the process has ended is read within a turn of the event loop; a loaded host is slower. */
const lastByteMs = 250;

const writeFd = promisify(write) as (fd: number, text: string) => Promise<unknown>;
const openFd = promisify(open) as (path: string, flags: number) => Promise<number>;

/**
 * Lets a prepared task run its program. The first process waits at a FIFO of the runtime's; opening it here saves the
 * start of a process, so the runtime's own `start` is used only where it does more than that.
 */
export async function startTask(context: RuntimeContext, task: Task): Promise<void> {
  const state = task.living;
  if (state.status !== 'created') throw conflict(`task ${task.id} has been started already`);
  const { record } = state;
  const who = record.program === '' ? 'the program' : record.program;
  const deadline = { who, what: `start in ${task.id}`, milliseconds: context.config.deadlines.start };
  await withDeadline(deadline, (signal) => letGo(context, task, record, signal));
  crashPoint('runtime.start.released');
  // Its absence is how runtimes tell a running container from one that waits.
  await ifThere(unlink(task.layout.startFifo));
  task.become('running');
}

function letGo(context: RuntimeContext, task: Task, record: TaskRecord, signal: AbortSignal): Promise<void> {
  const { kind } = record.runtime;
  if (kind === 'other' || record.hooks.poststart) return startByRuntime(context, task, record, signal);
  return kind === 'runc' ? openForRunc(task, signal) : writeForCrun(task, record);
}

/**
 * runc's process opens its end, writes a byte and executes the program, which closes it: the end of the file means that
 * the program runs. A program the kernel then refuses (a script with a missing interpreter) is an exit, not an error
 * of the start, as with runc's own `start`.
 */
async function openForRunc(task: Task, signal: AbortSignal): Promise<void> {
  const stream = readableFrom(await openFifo(task, constants.O_RDONLY));
  let bytes = 0;
  const ended = new Promise<void>((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
  try {
    await untilAborted(Promise.race([ended, task.ended]), signal);
    // A program that is over at once may be known to have ended before the byte it was let go with is read.
    if (bytes === 0) await Promise.race([ended, delay(lastByteMs)]);
  } finally {
    stream.destroy();
  }
  if (bytes === 0) throw hasStopped(task);
}

/** crun's process waits for a byte. */
async function writeForCrun(task: Task, { first, runtime }: TaskRecord): Promise<void> {
  const fd = await openFifo(task, constants.O_WRONLY);
  try {
    await writeFd(fd, '0');
  } finally {
    close(fd, () => undefined);
  }
  // It has yet to become the program, in a moment. Nothing tells when, and nothing is lost by not knowing.
  for (const from = performance.now(); performance.now() - from < lastByteMs; await delay(1)) {
    const commandLine = (await ifThere(readFile(`/proc/${first.pid}/cmdline`, 'utf8'))) ?? '';
    if (!isOfRuntime(commandLine, runtime)) return;
  }
}

/** A descriptor of the caller's. */
async function openFifo(task: Task, mode: number): Promise<number> {
  try {
    return await openFd(task.layout.startFifo, mode | constants.O_NONBLOCK);
  } catch (cause) {
    // ENXIO: nobody waits at the other end.
    if (isErrno(cause, 'ENOENT', 'ENXIO')) throw hasStopped(task, cause);
    throw cause;
  }
}

const hasStopped = ({ id }: Task, cause?: unknown): TaskStartError =>
  new TaskStartError(`OCI runtime start failed: cannot start a container that has stopped: ${id}: unknown`, 128, {
    cause,
  });

async function startByRuntime(
  { ports, layout }: RuntimeContext,
  task: Task,
  { runtime, program }: TaskRecord,
  signal: AbortSignal,
): Promise<void> {
  const args = [...commonArguments(runtime, layout.runtimeRoot), 'start', task.id];
  const {
    code,
    signal: killedBy,
    stderr,
  } = await ports.launcher.run(runtime.path, args, {
    env: scratchIn(task.layout.directory),
    signal,
  });
  if (code === 0) return;
  const printed = stderr.toString();
  const silent =
    killedBy === undefined
      ? `the runtime ended with code ${code ?? 'unknown'}`
      : `signal ${killedBy} ended the runtime`;
  throw taskStartError('start', printed.trim() === '' ? silent : printed, program);
}
