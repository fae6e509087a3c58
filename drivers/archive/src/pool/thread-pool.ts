import { unavailable } from '@gantry/core/errors';
import { ArchiveThread } from './archive-thread.js';
import type { JobStart } from './protocol.js';
import type { Stall } from './stall.js';

/**
 * How long a job may take somebody else: `local` jobs need only the disk; `stream` jobs also wait for a client or a
 * network, so that more of them are let in.
 */
export type Lane = 'local' | 'stream';

export interface PoolOptions {
  /** Jobs of each lane that run at once. */
  readonly limits: Readonly<Record<Lane, number>>;
  /** How long a thread without a job is kept, in ms. */
  readonly idle: number;
  /** How long a job may wait for its client while others wait for its place, in ms. */
  readonly patience: number;
  /** Told when the last thread has ended for want of jobs. */
  readonly onQuiet?: () => void;
}

interface Waiting {
  readonly lane: Lane;
  readonly stall: Stall;
  run(thread: ArchiveThread): void;
  refuse(error: Error): void;
}

/** Worker threads: made when they are needed, ended when they were not for a while. */
export class ThreadPool {
  readonly #options: PoolOptions;
  readonly #idle = new Map<ArchiveThread, NodeJS.Timeout>();
  readonly #all = new Set<ArchiveThread>();
  #queue: Waiting[] = [];
  #closed = false;
  /** Of the jobs that run. */
  readonly #stalls: Record<Lane, Set<Stall>> = { local: new Set(), stream: new Set() };
  #watching: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Hands a job to a thread, as soon as the lane has room. Resolves to what settles when the thread has ended or has
   * become free again. Rejects `unavailable` after `close`, and with the signal's reason. Where the lane stays full, the
   * job that has waited for its client for longest has to give way.
   */
  begin(
    job: JobStart,
    lane: Lane,
    signal: AbortSignal,
    stall: Stall,
  ): Promise<{ readonly over: Promise<Error | undefined> }> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#queue = this.#queue.filter((other) => other !== waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        lane,
        stall,
        run: (thread) => {
          signal.removeEventListener('abort', onAbort);
          resolve({ over: this.#start(thread, job, lane, stall) });
        },
        refuse: (error) => {
          signal.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      if (this.#closed) return waiting.refuse(closed());
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(waiting);
      this.#dispatch();
      if (this.#queue.length > 0) this.#watch();
    });
  }

  /** Refuses what waits, has all jobs give up and ends the threads. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watching);
    for (const waiting of this.#queue.splice(0)) waiting.refuse(closed());
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    for (const stalls of Object.values(this.#stalls)) for (const stall of stalls) stall.giveUp(closed());
    await Promise.all([...this.#all].map((thread) => thread.end()));
  }

  #dispatch(): void {
    this.#queue = this.#queue.filter((waiting) => {
      if (this.#stalls[waiting.lane].size >= this.#options.limits[waiting.lane]) return true;
      waiting.run(this.#take());
      return false;
    });
  }

  /** Looks for jobs that should give way, as long as others wait. */
  #watch(): void {
    this.#watching ??= setInterval(() => {
      if (this.#queue.length === 0) {
        clearInterval(this.#watching);
        this.#watching = undefined;
      } else if (this.#queue.some(({ lane }) => lane === 'stream')) this.#makeRoom();
    }, this.#options.patience / 4).unref();
  }

  #makeRoom(): void {
    const late = performance.now() - this.#options.patience;
    const waited = (stall: Stall): number => stall.since ?? Number.POSITIVE_INFINITY;
    const [longest] = [...this.#stalls.stream].sort((a, b) => waited(a) - waited(b));
    if (longest !== undefined && waited(longest) <= late) longest.giveWay();
  }

  #take(): ArchiveThread {
    // The one that was busy last: the others get to end.
    const last = [...this.#idle.keys()].at(-1);
    if (last !== undefined) {
      clearTimeout(this.#idle.get(last));
      this.#idle.delete(last);
      return last;
    }
    const thread: ArchiveThread = new ArchiveThread(() => this.#freed(thread));
    this.#all.add(thread);
    void thread.ended.then(() => {
      this.#all.delete(thread);
      clearTimeout(this.#idle.get(thread));
      this.#idle.delete(thread);
      if (this.#all.size === 0 && !this.#closed) this.#options.onQuiet?.();
    });
    return thread;
  }

  readonly #over = new Map<ArchiveThread, (error: Error | undefined) => void>();

  #start(thread: ArchiveThread, job: JobStart, lane: Lane, stall: Stall): Promise<Error | undefined> {
    this.#stalls[lane].add(stall);
    const free = new Promise<Error | undefined>((resolve) => this.#over.set(thread, resolve));
    const died = thread.ended.then((error) => error ?? new Error('the thread has ended'));
    thread.start(job);
    const over = Promise.race([free, died]);
    void over.then(() => {
      this.#over.delete(thread);
      this.#stalls[lane].delete(stall);
      if (!this.#closed) this.#dispatch();
    });
    return over;
  }

  #freed(thread: ArchiveThread): void {
    if (!this.#closed) {
      const timer = setTimeout(() => {
        // First, so that nobody is given a thread that is about to end.
        this.#idle.delete(thread);
        void thread.end();
      }, this.#options.idle);
      timer.unref();
      this.#idle.set(thread, timer);
    }
    this.#over.get(thread)?.(undefined);
  }
}

const closed = (): Error => unavailable('the archive threads have been closed');
