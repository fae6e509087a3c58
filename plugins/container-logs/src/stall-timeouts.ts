/** Milliseconds for which a request waits for a log driver that makes no progress. */
export interface StallTimeouts {
  /** Reading the log of a container that runs: more output follows anyway. */
  readonly running: number;
  /** Reading the log of a container that has exited: the answer is expected to be complete. */
  readonly exited: number;
  /** Reading while the driver reports errors. */
  readonly failing: number;
  /** Removing a container whose log is kept elsewhere. */
  readonly removal: number;
}

/** Injects them. */
export const StallTimeouts = Symbol('stall timeouts');

export const defaultStallTimeouts: StallTimeouts = { running: 5000, exited: 30_000, failing: 5000, removal: 3000 };
