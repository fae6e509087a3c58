import type { Readable, Writable } from 'node:stream';
import { closeDescriptor } from '@gantry/lib-linux/files';
import { type LaunchedProcess, type Launcher, pipe, readableFrom, writableTo } from '@gantry/lib-linux/launcher';

export interface ToolStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface StartedTool {
  readonly process: LaunchedProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Asks it and all it has started to end, and ends them when they do not. */
  end(): void;
}

const SIGKILL = 9;
const SIGTERM = 15;
/** Within the two seconds a caller is promised, and enough to remove a lock. svn waits for its server all the same. */
const graceMs = 400;

/** Starts a program in a process group of its own. The caller feeds, reads and awaits it. */
export async function startTool(launcher: Launcher, { program, args, env, cwd }: ToolStart): Promise<StartedTool> {
  const [input, output, errors] = [pipe(), pipe(), pipe()];
  const theirs = [input.readFd, output.writeFd, errors.writeFd];
  const ours = [input.writeFd, output.readFd, errors.readFd];
  let launched: LaunchedProcess;
  try {
    const fds = new Map(theirs.map((fd, index) => [index, fd] as const));
    launched = await launcher.launch({ file: program, args, env, cwd, fds, newSession: true });
  } catch (error) {
    for (const fd of ours) closeDescriptor(fd);
    throw error;
  } finally {
    for (const fd of theirs) closeDescriptor(fd);
  }
  const stdin = writableTo(input.writeFd);
  const stdout = readableFrom(output.readFd);
  const stderr = readableFrom(errors.readFd);
  // One that ends early must not end the daemon; its exit says whether that was right.
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
  const end = (): void => {
    if (hasExited || timer !== undefined) return;
    signalGroup(SIGTERM);
    timer = setTimeout(() => signalGroup(SIGKILL), graceMs);
  };
  void launched.exited.then(() => {
    hasExited = true;
    if (timer === undefined) return;
    clearTimeout(timer);
    // The first of a group may go before those it has started.
    signalGroup(SIGKILL);
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  });
  return { process: launched, stdin, stdout, stderr, end };
}
