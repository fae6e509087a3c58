import type { Readable } from 'node:stream';
import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';
import type { OciProcess, OciResources, OciSpec } from './oci.js';

/**
 * # Runtime: processes in containers
 *
 * Glossary. A *task* is the first process of a container with everything it needs: its bundle, its monitor and its
 * cgroup. An *exec* is a further process in a task. Task ids are container ids, or begin with a word and a hyphen for
 * areas that run something else, such as `plugin-<id>`; exec ids are unique on one driver.
 *
 * A task's lifecycle: `create` (namespaces and cgroup exist, the program has not run) -> `attach` -> `startTask` ->
 * exit -> `delete`. Tasks survive the daemon: their output goes on into the spool and the monitor records their exit
 * on disk before it is published. The next daemon finds them by `tasks()`.
 *
 * Every operation that waits for a task's cooperation takes a signal or has a deadline of its own, and rejects
 * `unavailable` naming what did not answer.
 */
export interface RuntimeDriver {
  readonly capabilities: RuntimeCapabilities;
  readonly io: TaskIo;
  readonly processes: TaskProcesses;

  /** Name and version of what runs the containers, for `info` and `version`. */
  describe(): Promise<RuntimeDescription>;

  /**
   * Says that `create` of a task follows soon. What does not need the bundle begins already, in parallel with the caller's
   * preparation of it, and `create` takes less time. Rejects `invalid-argument` as `create` does; what else is wrong is left
   * to `create`. `tasks()` does not list the task yet. One that is not created, or whose `create` rejects, needs `delete`; the
   * next daemon finds it `broken`. Left out by drivers that have nothing to begin with.
   */
  prepareTask?(preparation: TaskPreparation): Promise<void>;

  /**
   * Prepares a task: nothing of the program has run when it resolves. On rejection nothing is left.
   * Rejects `conflict` when the id exists; `TaskStartError` when the runtime refuses the process.
   */
  create(request: TaskRequest, options?: { readonly signal?: AbortSignal }): Promise<TaskStatus>;

  /**
   * Lets the program run. Rejects `TaskStartError`; the task then still needs `delete`. `start` by itself is the
   * driver's own beginning, see `DriverLifecycle`.
   */
  startTask(id: string): Promise<void>;

  /**
   * Sends a signal to the first process, with `all` to every process of the task. Rejects `not-found` when the task is
   * gone or has exited. Works while paused: the signal is pending until resume, except for `SIGKILL`, which ends it.
   */
  kill(id: string, signal: number, options?: { readonly all?: boolean }): Promise<void>;

  pause(id: string): Promise<void>;
  resume(id: string): Promise<void>;

  /** Changes limits of a running task. Rejects `invalid-argument` with the kernel's reason, changing nothing. */
  update(id: string, resources: OciResources): Promise<void>;

  /**
   * Removes what is left of a task: cgroup, bundle, monitor, exit record. With `force` a running or paused one is
   * killed first, without it that rejects `conflict`. One that never ran is removed either way, and no exit is published.
   * Absent: resolves. After it, `tasks()` does not list the id.
   */
  delete(id: string, options?: { readonly force?: boolean }): Promise<void>;

  /** Every task there is, also of earlier daemons, with exits that happened meanwhile. */
  tasks(): Promise<readonly TaskStatus[]>;

  /** One task. Rejects `not-found`. */
  status(id: string): Promise<TaskStatus>;

  /**
   * Called once for each exit, in order, after the exit is on disk; exits before subscription are in `tasks()`.
   * @returns ends the subscription.
   */
  onExit(listener: (exit: TaskExit) => void): () => void;

  /** Called when the kernel killed a process of the task because memory ran out. @returns ends the subscription. */
  onOom(listener: (id: string) => void): () => void;

  /** Counters of now. Rejects `not-found` when the task does not run. */
  stats(id: string): Promise<TaskStats>;
}

/** The streams of a task's first process. */
export interface TaskIo {
  /**
   * The one connection to a task's streams. What is written after it resolves comes through it; output before
   * `attach` is in the spool only. Attaching twice at once rejects `conflict`: the engine fans out itself.
   */
  attach(id: string): Promise<TaskStreams>;

  /** Sets the terminal's size. Rejects `conflict` without a terminal, `not-found` after the exit. */
  resize(id: string, size: TerminalSize): Promise<void>;

  /**
   * Begins a new spool file: what was written so far stays at the returned path, which the caller deletes after
   * reading; what comes goes to `TaskRequest.spool`. Nothing is lost or written twice. The returned path is the
   * spool's with `.N` behind, N growing, so that a reader finds after a crash what it has still to read, oldest first.
   * Undefined when there is nothing to rotate.
   */
  rotateSpool(id: string): Promise<string | undefined>;
}

/** The processes of a task beside its first. */
export interface TaskProcesses {
  /** Runs a further process. Resolves when it is started; rejects `TaskStartError`, `not-found`, `conflict`. */
  exec(id: string, request: ExecRequest, options?: { readonly signal?: AbortSignal }): Promise<ExecProcess>;

  /** Host process ids of the task, the first process first. */
  list(id: string): Promise<readonly number[]>;

  /**
   * The task's processes as the host's ps(1) lists them with these arguments. Only with `capabilities.processTable`.
   * Rejects `invalid-argument` with what ps has against the arguments, `not-found` when the task does not run.
   */
  table?(id: string, args: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<ProcessTable>;
}

export interface RuntimeCapabilities {
  readonly pause: boolean;
  readonly exec: boolean;
  readonly update: boolean;
  readonly stats: boolean;
  /** `processes.table` is there. */
  readonly processTable?: boolean;
  /** Tasks outlive the daemon. */
  readonly survivesDaemon: boolean;
  /** How limits reach the kernel; undefined when the runtime has no cgroups (memory drivers). */
  readonly cgroups: 'v1' | 'hybrid' | 'v2' | 'none' | undefined;
  /** What creates cgroups: the driver itself by its files, or systemd. `none`: tasks have no cgroups, hence no limits. */
  readonly cgroupDriver?: 'cgroupfs' | 'systemd' | 'none';
}

/** What ps(1) prints: a line of titles, and a line for each process with as many fields. */
export interface ProcessTable {
  readonly titles: readonly string[];
  readonly processes: readonly (readonly string[])[];
}

export interface RuntimeDescription {
  readonly name: string;
  readonly path: string;
  readonly version: string;
  /** Ids of the runtimes that may be asked for by name. */
  readonly runtimes: readonly string[];
}

/** What is known of a task before its bundle is. `create` may deviate from it, and gains nothing then. */
export interface TaskPreparation extends Pick<TaskRequest, 'id' | 'openStdin' | 'stdinOnce' | 'spool' | 'runtime'> {
  /** As in `OciProcess`. */
  readonly terminal: boolean;
}

export interface TaskRequest {
  readonly id: string;
  readonly spec: OciSpec;
  /** Stdin stays open for attached clients. */
  readonly openStdin: boolean;
  /** The end of the first attached stdin closes the process's stdin. */
  readonly stdinOnce: boolean;
  /** Where output is spooled, in the format of `LogBatch.spool`, appending; undefined keeps nothing. */
  readonly spool: string | undefined;
  /** One of `RuntimeDescription.runtimes`; the driver's own choice by default. Rejects `invalid-argument` otherwise. */
  readonly runtime?: string;
  /**
   * Another task, whose /dev/shm the task gets in place of its own. Rejects `conflict` when it does not run. Drivers
   * without mounts leave it out.
   */
  readonly sharedMemoryOf?: string;
}

export interface TerminalSize {
  /** Characters. */
  readonly height: number;
  readonly width: number;
}

export type TaskStatus = { readonly id: string } & (
  | { readonly status: 'created'; readonly pid: number }
  | { readonly status: 'running'; readonly pid: number }
  | { readonly status: 'paused'; readonly pid: number }
  | ({ readonly status: 'exited' } & Omit<TaskExit, 'id'>)
  /** Orphaned by a crash during `create`; only `delete` is possible. */
  | { readonly status: 'broken'; readonly reason: string }
);

export interface TaskExit {
  readonly id: string;
  /** 0 to 255; 128 + N for the signal N. */
  readonly exitCode: number;
  readonly exitedAt: Date;
  readonly oomKilled: boolean;
  /** Why the code is not known (monitor killed), then `exitCode` is 255. */
  readonly lost?: string;
}

/** One connection to a process's streams. The holder must read `output` or call `close`. */
export interface TaskStreams {
  /**
   * Chunks in the order they were written, `stream` always stdout on a terminal; ends when the process has closed its
   * output. Object mode; pausing it stalls the container, so the engine drains it into bounded queues.
   */
  readonly output: Readable & AsyncIterable<OutputChunk>;
  /**
   * Resolves when the bytes are with the process's pipe, which gives backpressure. Rejects `conflict` once closed by
   * either side, and when the process has no stdin.
   */
  writeStdin(bytes: Uint8Array): Promise<void>;
  /**
   * End of file for the process. Twice: resolves. Where stdin stays open (`openStdin` without `stdinOnce`) the process
   * sees nothing of it, and this connection writes no more.
   */
  endStdin(): Promise<void>;
  close(): void;
}

export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly bytes: Uint8Array;
}

export interface ExecRequest {
  readonly execId: string;
  readonly process: OciProcess;
  readonly openStdin: boolean;
  /** No client reads the output; it is discarded. */
  readonly detached: boolean;
}

export interface ExecProcess {
  readonly pid: number;
  /** Undefined when detached. All output is read before `exited` matters to a client; it never comes after the end. */
  readonly streams: TaskStreams | undefined;
  /** The exit code. Never rejects; 255 when it was lost. */
  readonly exited: Promise<number>;
  resize(size: TerminalSize): Promise<void>;
  kill(signal: number): Promise<void>;
}

/** A process that could not be started, with the exit code that clients expect for the cause. */
export interface TaskStartFailure {
  /** 127: no such program; 126: it cannot be executed; 128: anything else. */
  readonly exitCode: 126 | 127 | 128;
}

/** Counters as the statistics record shows them; absent where the host has no such controller. */
export interface TaskStats {
  readonly readAt: Date;
  readonly cpu?: {
    /** Nanoseconds. */
    readonly total: number;
    readonly user: number;
    readonly kernel: number;
    readonly perCpu: readonly number[];
    readonly throttling: {
      readonly periods: number;
      readonly throttledPeriods: number;
      readonly throttledTime: number;
    };
  };
  readonly memory?: {
    /** Bytes. */
    readonly usage: number;
    /** Absent on cgroup v2, like `failures`. */
    readonly maxUsage?: number;
    readonly limit: number;
    readonly failures?: number;
    readonly counters: Readonly<Record<string, number>>;
  };
  readonly pids?: { readonly current: number; readonly limit: number | undefined };
  /** Lists that the kernel does not keep are absent. */
  readonly blkio?: Readonly<Record<string, readonly BlkioEntry[]>>;
  /** By interface name inside the sandbox. */
  readonly networks?: Readonly<Record<string, InterfaceCounters>>;
}

export interface BlkioEntry {
  readonly major: number;
  readonly minor: number;
  readonly op: string;
  readonly value: number;
}

export interface InterfaceCounters {
  readonly rxBytes: number;
  readonly rxPackets: number;
  readonly rxErrors: number;
  readonly rxDropped: number;
  readonly txBytes: number;
  readonly txPackets: number;
  readonly txErrors: number;
  readonly txDropped: number;
}

export const RuntimeDrivers: DriverPoint<RuntimeDriver> = driverPoint<RuntimeDriver>('runtime', '1.0', [
  'describe',
  'create',
  'startTask',
  'kill',
  'pause',
  'resume',
  'update',
  'delete',
  'tasks',
  'status',
  'stats',
  'onExit',
  'onOom',
  'io.attach',
  'io.resize',
  'io.rotateSpool',
  'processes.exec',
  'processes.list',
]);
