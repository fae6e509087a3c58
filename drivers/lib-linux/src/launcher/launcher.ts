import type { Readable, Writable } from 'node:stream';
import { servicePoint } from '@gantry/core/points';
import { SpawnLauncher } from './spawn-launcher.js';

/** Which program to start, and with what. */
export interface LaunchRequest {
  /** A path, or a bare name that is looked for in the fixed PATH. */
  readonly file: string;
  /** Without the program's own name, which goes in front. */
  readonly args: readonly string[];
  /** Added to the fixed environment, which is PATH alone. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /**
   * Descriptors of the program: its number to ours. 0, 1 and 2 are /dev/null when they are not named; everything else
   * is closed. Ours stay open and stay the caller's.
   */
  readonly fds?: ReadonlyMap<number, number>;
  /** Begins a session, and with it a process group, of its own. */
  readonly newSession?: boolean;
}

/** How a program ended: one of the two is there. */
export interface ProcessExit {
  readonly code: number | undefined;
  /** The number of the signal that ended it. */
  readonly signal: number | undefined;
}

export interface LaunchedProcess {
  readonly pid: number;
  /** Never rejects. A program that goes on in the background has exited as far as this is concerned. */
  readonly exited: Promise<ProcessExit>;
  /** After the exit it does nothing, so no other process that was given the number is hit. */
  kill(signal: number): void;
  /** Lets Node end although the program has not exited. */
  unref(): void;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What the program reads from its standard input; nothing by default. */
  readonly input?: Uint8Array | Readable;
  /** Bytes kept of each of stdout and stderr, 16 MiB by default. What comes beyond is read and dropped. */
  readonly maxOutputBytes?: number;
  /** Its abort kills the program and everything in its session. */
  readonly signal?: AbortSignal;
}

export interface RunResult extends ProcessExit {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Something was dropped for `maxOutputBytes`. */
  readonly truncated: boolean;
}

export interface StreamOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Bytes of stderr that are kept, 64 KiB by default. */
  readonly maxErrorBytes?: number;
  /** Its abort kills the program and destroys the streams with the reason. */
  readonly signal?: AbortSignal;
}

/**
 * A running program with streams. The caller must end `stdin` and read `stdout` to its end, or kill the process. Stream
 * errors reach the listeners, such as `pipeline`; without one they are ignored.
 */
export interface StreamedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** All of it, when it has closed. Never rejects. */
  readonly stderr: Promise<Buffer>;
  readonly process: LaunchedProcess;
}

/**
 * Starts programs without forking the calling process, whose size therefore does not matter, and without holding up
 * its event loop. No shell. Signal handlers and masks are the defaults.
 */
export interface Launcher {
  /**
   * Resolves when the program has been executed. Rejects LinuxError: `ENOENT` no such program (or working directory),
   * `EACCES` not executable, `E2BIG` too many arguments.
   */
  launch(request: LaunchRequest): Promise<LaunchedProcess>;

  /**
   * Runs a program to its end, in a session of its own. A code other than 0 is a result, not an error. Rejects as
   * `launch` does, and with the signal's reason after an abort, when the program has gone.
   */
  run(file: string, args: readonly string[], options?: RunOptions): Promise<RunResult>;

  /** Starts a program in a session of its own with its standard streams as streams. Rejects as `launch` does. */
  stream(file: string, args: readonly string[], options?: StreamOptions): Promise<StreamedProcess>;
}

export const Launcher = servicePoint<Launcher>('linux.launcher', { fallback: () => new SpawnLauncher() });
