import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';

/**
 * # Log: where a container's output goes
 *
 * The runtime's spool is the durable source. A log worker reads it in order, hands batches to a *sink* and remembers
 * how far it came, so a killed daemon loses no line; a batch may come again after a crash, from the offset that the
 * sink last confirmed. Sinks may live in a worker thread: a driver is then created there too, with the same
 * configuration, and the two share nothing but files.
 *
 * Another version takes over while the daemon runs: it starts beside the older one, whose sinks are then closed and
 * opened again by the newer one. The older one finishes reads that are under way before it stops.
 */
export interface LogDriver {
  readonly capabilities: LogCapabilities;

  /** Checks `LogConfig.Config` at create. @throws EngineError `invalid-argument` naming the option and the value. */
  validate(options: Readonly<Record<string, string>>): void;

  /** Opens the writing side for one container. One sink per container is open at a time. */
  open(container: LogContainer): Promise<LogSink>;

  /**
   * Reads back, oldest first; with `follow` goes on as lines arrive until `signal` aborts or `ended` resolves and all
   * is read; either ends the iteration without an error. Rejects `not-found` when nothing was ever written. Only with
   * `capabilities.read`.
   */
  read?(container: LogContainer, query: LogQuery): AsyncIterable<LogPage>;

  /** The file `inspect` shows as LogPath; empty when there is none. */
  path(container: LogContainer): string;

  /** Deletes what was kept of a removed container, with every rotated file. Absent: resolves. */
  remove(container: LogContainer): Promise<void>;
}

export interface LogCapabilities {
  /** `read` is there, so GET /containers/(id)/logs works. */
  readonly read: boolean;
  /** Sinks may be opened in a worker thread by creating the driver there again. */
  readonly worker: boolean;
  /** Nothing is kept, so the runtime need not spool at all. */
  readonly discards: boolean;
}

/** What a log driver may know of a container. */
export interface LogContainer {
  readonly id: string;
  /** Without the slash. */
  readonly name: string;
  readonly imageId: string;
  readonly imageName: string;
  readonly command: readonly string[];
  readonly createdAt: Date;
  readonly labels: Readonly<Record<string, string>>;
  readonly env: readonly string[];
  /** `LogConfig.Config`. */
  readonly options: Readonly<Record<string, string>>;
  /** A directory of this container's own, made by the engine, removed with the container. */
  readonly directory: string;
}

export interface LogRecord {
  readonly stream: 'stdout' | 'stderr';
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  /** Without the newline, which a record ends with unless `partial`. At most 16 KiB. */
  readonly line: Uint8Array;
  /** The line goes on in the next record of the same stream. */
  readonly partial: boolean;
  /** Labels and environment the driver was asked to keep; shown by `details=1`. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * Records on their way to a sink, in the order they were written: as bytes for drivers that transform them in bulk,
 * as objects for the others.
 */
export interface LogBatch {
  /**
   * Whole lines of the CRI log format, `TIME STREAM TAG TEXT\n`: TIME is RFC 3339 with nanoseconds, STREAM `stdout` or
   * `stderr`, TAG `F` for a full line and `P` for a part that the next record of the stream goes on with. Valid only
   * during `write`.
   */
  readonly spool: Uint8Array;
  /** How far the spool is consumed with this batch. */
  readonly resume: string;
  records(): Iterable<LogRecord>;
}

/** Records read back together. Good until the next page is asked for. */
export interface LogPage {
  records(): Iterable<LogRecord>;
  /**
   * The same records as multiplexed frames, one frame a line with its newline, for drivers that can make them faster
   * from their own bytes. Without it the engine makes them from `records()`. The bytes are good until the page after
   * the next is asked for, so that they can be on their way while that is made.
   */
  frames?(): Uint8Array;
  /** The same without headers, as a terminal has it: the lines one after the other, each with its newline. */
  texts?(): Uint8Array;
}

export interface LogSink {
  /**
   * Writes a batch in order. Resolves when a crash of the daemon can no longer lose it. A sink that stores
   * `batch.resume` beside the data makes the batch exactly-once; otherwise it may come again after a crash.
   * Rejects `unavailable` when nothing was written; the batch comes again.
   */
  write(batch: LogBatch): Promise<void>;
  /** The last `resume` that is known stored; undefined when the sink does not store it. */
  resumeAt(): Promise<string | undefined>;
  /** Lines given up since opening (server unreachable, buffers full). */
  readonly dropped: number;
  /**
   * Writes what is buffered, within the signal, and frees everything. Twice: resolves. It may come while a write is
   * under way; one that waits for a server must not hold it up for long: that write then rejects.
   */
  close(options?: { readonly signal?: AbortSignal }): Promise<void>;
}

export interface LogQuery {
  readonly stdout: boolean;
  readonly stderr: boolean;
  /** Nanoseconds since the epoch; records before it are left out. */
  readonly since?: bigint;
  /**
   * Records after it are left out. With `follow` the caller resolves `ended` at the latest when the output of that time is
   * stored, which may be after that time.
   */
  readonly until?: bigint;
  /** Only the last so many lines; undefined is all. */
  readonly tail?: number;
  readonly follow: boolean;
  /** With `follow`: resolves when no more will be written. Never rejects. */
  readonly ended?: Promise<void>;
  readonly signal?: AbortSignal;
}

export const LogDrivers: DriverPoint<LogDriver> = driverPoint<LogDriver>(
  'log',
  '1.0',
  ['validate', 'open', 'path', 'remove'],
  {
    capabilities: ['read', 'worker', 'discards'],
    capabilityMethods: { read: 'read' },
    takeover: 'overlapping',
  },
);
