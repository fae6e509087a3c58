import type { Readable, Writable } from 'node:stream';
import { closeDescriptor } from '@gantry/lib-linux/files';
import { type LaunchedProcess, type Launcher, pipe, readableFrom, writableTo } from '@gantry/lib-linux/launcher';

interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface StartedProgram {
  readonly process: LaunchedProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Sends SIGTERM to its process group, and SIGKILL when that is still there after the grace period. */
  stop(): void;
}

const SIGKILL = 9;
const SIGTERM = 15;
/** Well within the two seconds of the contract, and enough for a program to remove its lock files. */
const graceMs = 400;

/** Starts a program in a session of its own. The caller feeds its stdin, reads its output and awaits its exit. */
export async function startProgram(
  launcher: Launcher,
  { program, args, env, cwd }: ProgramStart,
): Promise<StartedProgram> {
  const [input, output, errors] = [pipe(), pipe(), pipe()];
  const childFds = [input.readFd, output.writeFd, errors.writeFd];
  const parentFds = [input.writeFd, output.readFd, errors.readFd];
  let launched: LaunchedProcess;
  try {
    const fds = new Map(childFds.map((fd, index) => [index, fd] as const));
    launched = await launcher.launch({ file: program, args, env, cwd, fds, newSession: true });
  } catch (error) {
    for (const fd of parentFds) closeDescriptor(fd);
    throw error;
  } finally {
    for (const fd of childFds) closeDescriptor(fd);
  }
  const stdin = writableTo(input.writeFd);
  const stdout = readableFrom(output.readFd);
  const stderr = readableFrom(errors.readFd);
  // EPIPE of a program that exits early is ignored: its exit status says whether that was an error.
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
  let hasExited = false;
  const signalGroup = (signal: number): void => {
    try {
      process.kill(-launched.pid, signal);
    } catch {
      launched.kill(signal);
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (hasExited || timer !== undefined) return;
    signalGroup(SIGTERM);
    timer = setTimeout(() => signalGroup(SIGKILL), graceMs);
  };
  void launched.exited.then(() => {
    hasExited = true;
    if (timer === undefined) return;
    clearTimeout(timer);
    // The leader of the group may exit before its children.
    signalGroup(SIGKILL);
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  });
  return { process: launched, stdin, stdout, stderr, stop };
}
