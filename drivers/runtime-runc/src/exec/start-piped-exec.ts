import { close, type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { abortable, inject, injectable } from '@gantry/core/driver';
import { type LaunchedProcess, Launcher, type ProcessExit, pipe, readableFrom } from '@gantry/lib-linux/launcher';
import { Processes } from '@gantry/lib-linux/processes';
import { Layout } from '../layout.js';
import { readPid } from '../monitor/monitor-launcher.js';
import { SIGKILL } from '../process-identity.js';
import { commonArguments, scratchIn } from '../runtime/oci-runtime.js';
import { PipedStreams } from '../streams/piped-streams.js';
import { noStdin, PipeStdin, type Stdin } from '../streams/stdin.js';
import { type ExecStart, execFailure } from './exec-start.js';
import type { StartedExec } from './running-exec.js';

/** The runtime while it starts a process and waits for it, and the daemon's ends of the process's pipes. */
interface Launched {
  readonly runtime: LaunchedProcess;
  readonly stdin: Stdin;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Starts processes with pipes of the daemon's. The runtime stays as the parent and exits with the exit code. */
@injectable()
export class StartPipedExec {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(Launcher.token) private readonly launcher: Launcher,
    @inject(Processes.token) private readonly processes: Processes,
  ) {}

  async start(exec: ExecStart): Promise<StartedExec> {
    const { layout, signal } = exec;
    const pidFile = new PidFile(layout.directory, layout.pid);
    const launched = await this.#launch(exec).catch((error: unknown) => {
      pidFile.close();
      throw error;
    });
    const { runtime, stdin, stdout, stderr } = launched;
    try {
      // A short program may exit before the file watch reports its pid.
      const exited = runtime.exited.then(() => undefined);
      const pid = (await abortable(Promise.race([pidFile.written, exited]), signal)) ?? (await readPid(layout.pid));
      if (pid === undefined) {
        // Without a process, the output is the runtime's reason.
        const printed = text(stderr).catch(() => '');
        throw execFailure(exec, await abortable(printed, signal));
      }
      const streams = new PipedStreams(stdout, stderr, stdin);
      const ended = runtime.exited.then((exit) => {
        streams.finish();
        return codeOf(exit);
      });
      return { pid, streams, ended, control: undefined, abandon: () => runtime.unref() };
    } catch (error) {
      runtime.kill(SIGKILL);
      const pid = await readPid(layout.pid);
      if (pid !== undefined) this.processes.kill(pid, SIGKILL);
      stdin.close();
      stdout.destroy();
      stderr.destroy();
      throw error;
    } finally {
      pidFile.close();
    }
  }

  async #launch({ task, runtime, request, layout }: ExecStart): Promise<Launched> {
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
    const common = commonArguments(runtime, this.layout.runtimeRoot);
    try {
      const process = await this.launcher.launch({
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
}

/** The runtime reports a signalled process as 128 and the signal; if the runtime itself was killed, the code is lost. */
const codeOf = ({ code }: ProcessExit): number => code ?? 255;

/** Waits for a runtime to write a pid file. */
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
      // The file may exist before its content.
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
