import type { Readable, Writable } from 'node:stream';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import type { LaunchedProcess, Launcher } from './launcher.js';
import { type PipeEnds, pipe, readableFrom, writableTo } from './pipe.js';

interface PipedProcess {
  readonly process: LaunchedProcess;
  /** Undefined when it reads /dev/null. */
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

interface PipedRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly cwd: string | undefined;
  readonly withInput: boolean;
}

/** Starts a program with pipes for its standard streams. */
export async function launchPiped(launcher: Pick<Launcher, 'launch'>, request: PipedRequest): Promise<PipedProcess> {
  const { file, args, env, cwd, withInput } = request;
  const open: number[] = [];
  const openPipe = (): PipeEnds => {
    const ends = pipe();
    open.push(ends.readFd, ends.writeFd);
    return ends;
  };
  try {
    const input = withInput ? openPipe() : undefined;
    const output = openPipe();
    const errors = openPipe();
    const process = await launcher.launch({
      file,
      args,
      newSession: true,
      fds: new Map([
        ...(input === undefined ? [] : [[0, input.readFd] as const]),
        [1, output.writeFd] as const,
        [2, errors.writeFd] as const,
      ]),
      ...(env !== undefined && { env }),
      ...(cwd !== undefined && { cwd }),
    });
    const take = (fd: number): number => {
      open.splice(open.indexOf(fd), 1);
      return fd;
    };
    return {
      process,
      stdin: input === undefined ? undefined : writableTo(take(input.writeFd)),
      stdout: readableFrom(take(output.readFd)),
      stderr: readableFrom(take(errors.readFd)),
    };
  } finally {
    for (const fd of open) closeDescriptor(fd);
  }
}

const SIGKILL = 9;

/** Kills the session a piped process leads, with what it started, and the process if it has not begun it yet. */
export function killSession(launched: LaunchedProcess): void {
  launched.kill(SIGKILL);
  try {
    process.kill(-launched.pid, SIGKILL);
  } catch {
    // The session has no other process.
  }
}
