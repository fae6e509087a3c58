import { servicePoint } from '@gantry/core/points';
import { eventLoopWatcher } from './event-loop-watcher.js';
export interface FdEvents {
  readonly readable: boolean;
  readonly writable: boolean;
  /** The peer closed the connection or the descriptor is in error. */
  readonly disconnect: boolean;
}

export interface FdWatch {
  /** Suspends the events. */
  pause(): void;
  resume(events?: Partial<FdEvents>): void;
  /** Does not keep the process alive. */
  unref(): void;
  /** Ends the watch. Must be called before the descriptor is closed. */
  close(): void;
}

export interface ProcessWatch {
  /** Resolves when the process has exited, at once when it does not exist. Never rejects; never settles after `close`. */
  readonly exited: Promise<void>;
  close(): void;
}

export interface WatchOptions {
  /** Keeps the process alive. Off by default. */
  readonly keepAlive?: boolean;
}

/** Events that Node cannot wait for. Each watch costs a descriptor in the event loop and no thread. */
export interface Watcher {
  /** Also works for processes that are not our children. */
  processExit(pid: number, options?: WatchOptions): ProcessWatch;
  /**
   * Calls the listener while a descriptor is ready, repeatedly until it is drained. The descriptor becomes non-blocking
   * and remains the caller's. One watch per descriptor.
   */
  fd(fd: number, events: Partial<FdEvents>, listener: (events: FdEvents) => void, options?: WatchOptions): FdWatch;
}

export const Watcher = servicePoint<Watcher>('linux.watcher', { fallback: () => eventLoopWatcher });
