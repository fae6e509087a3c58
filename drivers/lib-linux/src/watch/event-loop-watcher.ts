import { isErrno } from '../errors/linux-error.js';
import { SYS_PIDFD_OPEN } from '../ffi/constants.js';
import { koffi } from '../ffi/native.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { numberedCall } from '../system-calls/system-call.js';
import type { FdEvents, FdWatch, ProcessWatch, Watcher, WatchOptions } from './watch.js';

const pidfdOpen = numberedCall<[pid: number, flags: number]>('pidfd_open', SYS_PIDFD_OPEN, ['int', 'uint']);

type PollHandle = ReturnType<ReturnType<typeof koffi>['node']['poll']>;
type PollCallback = (status: number, events: FdEvents) => void;

/** Active watches, referenced here because an unreferenced handle would be garbage-collected. */
const watched = new Set<PollWatch>();

class PollWatch implements FdWatch {
  #handle: PollHandle | undefined;
  #pending = false;
  #paused = false;
  #events: Partial<FdEvents>;

  constructor(
    fd: number,
    events: Partial<FdEvents>,
    private readonly listener: (events: FdEvents) => void,
    keepAlive: boolean,
  ) {
    this.#events = events;
    // Its type declaration lacks the first argument of the callback.
    const callback = this.#onEvents as unknown as (events: FdEvents) => void;
    this.#handle = koffi().node.poll(fd, events, callback);
    if (!keepAlive) this.#handle.unref();
    watched.add(this);
  }

  /** Native code calls this outside Node's callback scope, where promises do not continue: hence setImmediate. */
  #onEvents: PollCallback = (status, events) => {
    if (this.#pending) return;
    this.#pending = true;
    setImmediate(() => {
      this.#pending = false;
      if (this.#handle === undefined || this.#paused) return;
      this.listener(status < 0 ? { readable: true, writable: true, disconnect: true } : events);
    });
  };

  pause(): void {
    this.#paused = true;
    this.#handle?.stop();
  }

  resume(events?: Partial<FdEvents>): void {
    if (events !== undefined) this.#events = events;
    this.#paused = false;
    this.#handle?.start(this.#events, this.#onEvents as unknown as (events: FdEvents) => void);
  }

  unref(): void {
    this.#handle?.unref();
  }

  close(): void {
    this.#handle?.close();
    this.#handle = undefined;
    watched.delete(this);
  }
}

function watchFd(
  fd: number,
  events: Partial<FdEvents>,
  listener: (events: FdEvents) => void,
  options: WatchOptions = {},
): FdWatch {
  return new PollWatch(fd, events, listener, options.keepAlive ?? false);
}

function watchProcessExit(pid: number, options: WatchOptions = {}): ProcessWatch {
  let fd: number;
  try {
    fd = pidfdOpen.call(`process ${pid}`, pid, 0);
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return { exited: Promise.resolve(), close: () => undefined };
    throw error;
  }
  let close = (): void => undefined;
  const exited = new Promise<void>((resolve) => {
    const watch = watchFd(
      fd,
      { readable: true },
      () => {
        close();
        resolve();
      },
      options,
    );
    close = () => {
      close = () => undefined;
      watch.close();
      closeDescriptor(fd);
    };
  });
  return { exited, close: () => close() };
}

/** Watches through the event loop of the calling thread. */
export const eventLoopWatcher: Watcher = { fd: watchFd, processExit: watchProcessExit };
