import { close, type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type LaunchedProcess, type ProcessExit, pipe, readableFrom } from '@gantry/lib-linux/launcher';
import { untilAborted } from '../deadline.js';
import { readPid } from '../monitor/monitor-launch.js';
import { commonArguments, scratchIn } from '../runtime/oci-runtime.js';
import { PipedStreams } from '../streams/piped-streams.js';
import { noStdin, PipeStdin, type Stdin } from '../streams/stdin.js';
import { SIGKILL } from '../task/kill-task.js';
import { type ExecStart, execFailure } from './exec-start.js';
import type { StartedExec } from './running-exec.js';

/** The runtime while it starts a process and waits for it, and our ends of the process's pipes. */
interface Launched {
  readonly runtime: LaunchedProcess;
  readonly stdin: Stdin;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Starts a process with pipes of our own. The runtime stays as its parent, and ends with its exit code. */
export async function startPipedExec(exec: ExecStart): Promise<StartedExec> {
  const { context, layout, signal } = exec;
  const pidFile = new PidFile(layout.directory, layout.pid);
  const launched = await launch(exec).catch((error: unknown) => {
    pidFile.close();
    throw error;
  });
  const { runtime, stdin, stdout, stderr } = launched;
  try {
    // A program that ends at once may have been quicker than the news of it.
    const told = await untilAborted(Promise.race([pidFile.written, runtime.exited.then(() => undefined)]), signal);
    const pid = told ?? (await readPid(layout.pid));
    // What it printed is the process's if there is one, and otherwise why there is none.
    if (pid === undefined)
      throw execFailure(
        exec,
        await untilAborted(
          text(stderr).catch(() => ''),
          signal,
        ),
      );
    const streams = new PipedStreams(stdout, stderr, stdin);
    const ended = runtime.exited.then((exit) => {
      streams.finish();
      return codeOf(exit);
    });
    return { pid, streams, ended, control: undefined, abandon: () => runtime.unref() };
  } catch (error) {
    runtime.kill(SIGKILL);
    const pid = await readPid(layout.pid);
    if (pid !== undefined) context.ports.processes.kill(pid, SIGKILL);
    stdin.close();
    stdout.destroy();
    stderr.destroy();
    throw error;
  } finally {
    pidFile.close();
  }
}

async function launch({ context, task, runtime, request, layout }: ExecStart): Promise<Launched> {
  const [output, errors] = [pipe(), pipe()];
  const input = request.openStdin ? pipe() : undefined;
  const fds = new Map([
    [1, output.writeFd],
    [2, errors.writeFd],
  ]);
  if (input !== undefined) fds.set(0, input.readFd);
  const stdin = input === undefined ? noStdin : new PipeStdin(input.writeFd);
  const stdout = readableFrom(output.readFd);
  const stderr = readableFrom(errors.readFd);
  const common = commonArguments(runtime, context.layout.runtimeRoot);
  try {
    const process = await context.ports.launcher.launch({
      file: runtime.path,
      args: [...common, 'exec', '--process', layout.process, '--pid-file', layout.pid, task.id],
      cwd: layout.directory,
      env: scratchIn(layout.directory),
      fds,
      newSession: true,
    });
    return { runtime: process, stdin, stdout, stderr };
  } catch (error) {
    stdin.close();
    stdout.destroy();
    stderr.destroy();
    throw error;
  } finally {
    for (const fd of fds.values()) close(fd, () => undefined);
  }
}

/** The runtime reports a process that a signal ended with 128 and its number; a signal of its own is the loss of it. */
const codeOf = ({ code }: ProcessExit): number => code ?? 255;

/** Tells what a runtime has written into a pid file. */
class PidFile {
  readonly written: Promise<number>;
  readonly #watcher: FSWatcher;

  constructor(directory: string, file: string) {
    let resolve: (pid: number) => void = () => undefined;
    this.written = new Promise((settle) => {
      resolve = settle;
    });
    this.#watcher = watch(directory, (_, name) => {
      if (name !== basename(file)) return;
      // It may be there before its text is.
      readPid(file).then(
        (pid) => pid !== undefined && resolve(pid),
        () => undefined,
      );
    });
    this.#watcher.on('error', () => undefined);
  }

  close(): void {
    this.#watcher.close();
  }
}
