import type { LogContainer } from '@gantry/core/contracts';
import type { LogFacts } from '@gantry/core/driver';

/** One container's output on its way from the spool to its log driver. */
export interface PumpTask {
  readonly container: LogContainer;
  /** Id of the log driver. */
  readonly driver: string;
  /** The spool of the run that starts; undefined: the spools that an earlier daemon left in the container's directory. */
  readonly spool: string | undefined;
}

/** Moves the output of containers into their logs, at the pace of the log drivers. */
export interface Pump {
  /** Starts with a container, or continues with its next run. */
  open(task: PumpTask): void;
  /** The run is over: the rest of its spool is consumed, then the spool is deleted. */
  finish(id: string): void;
  /** Resolves when everything written before the call is in the log. Resolves for unknown containers. */
  caughtUp(id: string): Promise<void>;
  /** Stops immediately and releases everything; spools stay. Resolves for unknown containers. */
  drop(id: string): Promise<void>;
  /** The same once the batch in progress is written: an `open` after it continues there. `drop` ends the wait. */
  release(id: string): Promise<void>;
  /** As `drop` for all containers, once the batches in progress are written. */
  close(): Promise<void>;
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** The engine's side of a pump. */
export interface PumpOwner {
  /** Starts a new spool file. @returns the path of the old one; undefined when nothing was rotated. */
  rotate(id: string): Promise<string | undefined>;
  report(id: string, event: string, reason: string): void;
  /** Logs a line of a driver that the pump created. `facts` can be posted between threads. */
  log(level: LogLevel, facts: LogFacts, words: string): void;
}

export interface PumpLimits {
  /** Bytes of a spool file after which a new one is started. */
  readonly rotateAt: number;
  /** Bytes that may wait for a slow log driver; beyond, the oldest lines are dropped. 0: no limit. */
  readonly backlog: number;
}
