import type { LogContainer } from '@gantry/core/contracts';

/** One container's output on its way from the spool to its log driver. */
export interface PumpTask {
  readonly container: LogContainer;
  /** Id of the log driver. */
  readonly driver: string;
  /** The spool of the run that begins; undefined: whatever an earlier daemon left in the container's directory. */
  readonly spool: string | undefined;
}

/** Moves what containers write into their logs, at the pace of the log drivers. */
export interface Pump {
  /** Begins with a container, or goes on with its next run. */
  open(task: PumpTask): void;
  /** The run is over: what is left of its spool is written, then the spool is deleted. */
  finish(id: string): void;
  /** Resolves when everything written before the call is in the log. Not known: resolves. */
  caughtUp(id: string): Promise<void>;
  /** Stops at once and frees everything; spools stay. Not known: resolves. */
  drop(id: string): Promise<void>;
  /** The same for all, once what is under way is written. */
  close(): Promise<void>;
}

/** What a pump asks of the engine. */
export interface PumpOwner {
  /** Begins a new spool file. @returns where the old one is now; undefined when nothing was rotated. */
  rotate(id: string): Promise<string | undefined>;
  report(id: string, event: string, reason: string): void;
}

export interface PumpLimits {
  /** Bytes of a spool file after which a new one is begun. */
  readonly rotateAt: number;
  /** Bytes that may wait for a log driver that does not keep up; beyond, the oldest lines are given up. 0: no limit. */
  readonly backlog: number;
}
