import { servicePoint } from '@gantry/core/points';
import { eventLoopWatcher } from './event-loop-watcher.js';
export interface FdEvents {
  readonly readable: boolean;
  readonly writable: boolean;
  /** The other side hung up or the descriptor is in error. */
  readonly disconnect: boolean;
}

export interface FdWatch {
  /** Stops the events for now. */
  pause(): void;
  resume(events?: Partial<FdEvents>): void;
  /** Lets Node end while it watches. */
  unref(): void;
  /** Stops the events for good. Must come before the descriptor is closed. */
  close(): void;
}

export interface ProcessWatch {
  /** Resolves when the process has exited, at once when it is not there. Never rejects; never settles after `close`. */
  readonly exited: Promise<void>;
  close(): void;
}

export interface WatchOptions {
  /** Keeps Node from ending while it watches. Off by default. */
  readonly keepAlive?: boolean;
}

/** What Node cannot wait for by itself. Costs a descriptor in the event loop each, and no thread. */
export interface Watcher {
  /** Also works for processes that are not our children. */
  processExit(pid: number, options?: WatchOptions): ProcessWatch;
  /**
   * Calls back while a descriptor is ready, again and again until it is drained. The descriptor becomes non-blocking
   * and stays the caller's. One watch per descriptor.
   */
  fd(fd: number, events: Partial<FdEvents>, listener: (events: FdEvents) => void, options?: WatchOptions): FdWatch;
}

export const Watcher = servicePoint<Watcher>('linux.watcher', { fallback: () => eventLoopWatcher });
