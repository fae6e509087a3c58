import { close, constants, open, write } from 'node:fs';
import { readFile, unlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { TaskStartError } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { abortable, inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import { Launcher, readableFrom } from '@gantry/lib-linux/launcher';
import { ifPresent } from '../if-present.js';
import { Layout } from '../layout.js';
import { OperationDeadlines } from '../operation-deadlines.js';
import { commonArguments, isOfRuntime, scratchIn } from '../runtime/oci-runtime.js';
import { taskStartError } from '../runtime/runtime-error.js';
import type { Task } from './task.js';
import type { TaskRecord } from './task-record.js';

/** A byte in the FIFO is read within a turn of the event loop after the process exited; a loaded host is slower. */
const lastByteMs = 250;

const writeFd = promisify(write) as (fd: number, text: string) => Promise<unknown>;
const openFd = promisify(open) as (path: string, flags: number) => Promise<number>;

/** Starts the programs of created tasks. */
@injectable()
export class StartTask {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
  ) {}

  /**
   * Lets the first process run the program. It waits at a FIFO of the runtime's; opening that here saves the start of a
   * process, so the runtime's own `start` is used only where it does more than that.
   */
  async start(task: Task): Promise<void> {
    const state = task.living;
    if (state.status !== 'created') throw conflict(`task ${task.id} has been started already`);
    const { record } = state;
    const who = record.program === '' ? 'the program' : record.program;
    await this.deadlines.run({ deadline: 'start', who, what: `start in ${task.id}` }, (signal) =>
      this.#release(task, record, signal),
    );
    crashPoint('runtime.start.released');
    // Runtimes take a container without it for a running one.
    await ifPresent(unlink(task.layout.startFifo));
    task.become('running');
  }

  #release(task: Task, record: TaskRecord, signal: AbortSignal): Promise<void> {
    const { kind } = record.runtime;
    if (kind === 'other' || record.hooks.poststart) return this.#startByRuntime(task, record, signal);
    return kind === 'runc' ? openForRunc(task, signal) : writeForCrun(task, record);
  }

  async #startByRuntime(task: Task, { runtime, program }: TaskRecord, signal: AbortSignal): Promise<void> {
    const args = [...commonArguments(runtime, this.layout.runtimeRoot), 'start', task.id];
    const result = await this.launcher.run(runtime.path, args, { env: scratchIn(task.layout.directory), signal });
    if (result.code === 0) return;
    const printed = result.stderr.toString();
    const silent =
      result.signal === undefined
        ? `the runtime exited with code ${result.code ?? 'unknown'}`
        : `the runtime was ended by signal ${result.signal}`;
    throw taskStartError('start', printed.trim() === '' ? silent : printed, program);
  }
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
    await abortable(Promise.race([ended, task.ended]), signal);
    // The exit of a short program may be noticed before the byte of its start is read.
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
  // It executes the program a moment later. There is no event for that, and a timeout does no harm.
  for (const from = performance.now(); performance.now() - from < lastByteMs; await delay(1)) {
    const commandLine = (await ifPresent(readFile(`/proc/${first.pid}/cmdline`, 'utf8'))) ?? '';
    if (!isOfRuntime(commandLine, runtime)) return;
  }
}

/** @returns a descriptor that the caller closes. */
async function openFifo(task: Task, mode: number): Promise<number> {
  try {
    return await openFd(task.layout.startFifo, mode | constants.O_NONBLOCK);
  } catch (cause) {
    // ENXIO: no process waits at the other end.
    if (isErrno(cause, 'ENOENT', 'ENXIO')) throw hasStopped(task, cause);
    throw cause;
  }
}

const hasStopped = ({ id }: Task, cause?: unknown): TaskStartError =>
  new TaskStartError(`OCI runtime start failed: cannot start a container that has stopped: ${id}: unknown`, 128, {
    cause,
  });
