import type { LogContainer, LogRecord } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';

/** Logs of containers, for the area that runs them: it says when a run starts and ends, and lends its containers. */
export interface ContainerLogs {
  /** Registers the containers that requests refer to. @returns removes them again. */
  addContainers(containers: LoggedContainers): () => void;
  /** A run may start soon: starts the log worker, which takes a good part of the time of a start. */
  prepare(container: LoggedContainer): void;
  /** The spool of a run that started at `since`; undefined when the log driver discards everything. */
  spoolFor(container: LoggedContainer, since: bigint): string | undefined;
  /** A run starts to write its spool. */
  start(container: LoggedContainer, spool: string): void;
  /** A run that an earlier daemon started is still writing its spool. */
  resume(container: LoggedContainer): void;
  /** The run is over: the rest of its spool is written in the background. */
  finish(id: string): void;
  /** Writes, in the background, what an earlier daemon left in the spools of containers that do not run. */
  sweep(containers: readonly LoggedContainer[]): Promise<void>;
  /**
   * Deletes the log of a container that is removed. A log kept elsewhere is delivered first, and clients that read the log
   * get the rest of it, unless they take no output.
   */
  remove(container: LoggedContainer): Promise<void>;
  /** The file that inspect shows; empty when the driver has none. */
  pathOf(container: LoggedContainer): string;
  /**
   * The log as frames, or as raw bytes for a terminal, with everything written before the call. Each piece is valid
   * until the one after the next is requested.
   * @throws EngineError `not-implemented` when the log driver cannot read.
   */
  read(source: LogSource, request: LogRequest): AsyncIterable<Uint8Array>;
}

/** A container, as far as its log is concerned. */
export interface LoggedContainer extends LogContainer {
  /** Id of its log driver; empty is the default. */
  readonly driver: string;
  /** Its output is that of a terminal, which is not framed. */
  readonly terminal: boolean;
}

/** A container whose log is read. */
export interface LogSource {
  readonly container: LoggedContainer;
  /** Runs, or is about to run again under its restart policy. */
  isRunning(): boolean;
  /** Resolves when it no longer runs, or the signal aborts. */
  ended(options: { readonly signal: AbortSignal }): Promise<void>;
}

/** The containers of the engine, as this area needs them. */
export interface LoggedContainers {
  /** By id, name or unique prefix. @throws EngineError `not-found`. */
  source(reference: string): LogSource;
  /** Has the runtime start a new spool file. @returns the path of the old one; undefined when nothing was rotated. */
  rotateSpool(id: string): Promise<string | undefined>;
}

export interface LogRequest {
  readonly stdout: boolean;
  readonly stderr: boolean;
  /** Nanoseconds since the epoch. */
  readonly since?: bigint;
  readonly until?: bigint;
  /** Only the last so many lines. */
  readonly tail?: number;
  /** Continues until the container has ended. */
  readonly follow?: boolean;
  readonly timestamps?: boolean;
  readonly details?: boolean;
  /** Without frames even without a terminal. */
  readonly raw?: boolean;
  /** Gets every record that is read. */
  readonly see?: (record: LogRecord) => void;
  readonly signal: AbortSignal;
}

export const ContainerLogs: ServicePoint<ContainerLogs> = servicePoint<ContainerLogs>('container-logs');

/** The containers whose logs `ContainerLogs.read` can read. */
export interface LogSources {
  /** By id, name or unique prefix. @throws EngineError `not-found`. */
  source(reference: string): LogSource;
}

export const LogSources: ServicePoint<LogSources> = servicePoint<LogSources>('container-log-sources');
