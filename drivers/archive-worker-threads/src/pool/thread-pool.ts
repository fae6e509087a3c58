import { IdMappings } from '@gantry/core/contracts';
import { Config, type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { ArchiveConfig } from '../config.js';
import { ArchiveThread } from './archive-thread.js';
import { concurrencyLimits, type JobClass } from './job-class.js';
import type { JobStart } from './protocol.js';
import type { Stall } from './stall.js';

interface QueuedJob {
  readonly jobClass: JobClass;
  run(thread: ArchiveThread): void;
  refuse(error: Error): void;
}

/** Threads beyond which none is started before a job needs it. */
const maxWithSpare = 4;

/**
 * Worker threads, started on demand and ended after a while without work, but for the last one: starting a thread takes
 * longer than most jobs. Each runs one job at a time.
 */
@injectable()
export class ThreadPool implements DriverLifecycle {
  readonly #idle = new Map<ArchiveThread, NodeJS.Timeout>();
  readonly #threads = new Set<ArchiveThread>();
  #queue: QueuedJob[] = [];
  #closed = false;
  readonly #running: Record<JobClass, Set<Stall>> = {
    lookup: new Set(),
    disk: new Set(),
    input: new Set(),
    output: new Set(),
  };
  readonly #onFree = new Map<ArchiveThread, () => void>();
  #evictionTimer: NodeJS.Timeout | undefined;

  constructor(
    @inject(Config) private readonly config: ArchiveConfig,
    @inject(IdMappings) private readonly idMappings: IdMappings,
  ) {}

  /**
   * Starts a job on a thread as soon as the limit of its class allows. Resolves to a promise that settles when the thread
   * is free again, with an error if the thread has died. Rejects `unavailable` after `stop`, and with the signal's
   * reason. When the class stays full, the job whose client has stalled for longest is ended.
   */
  begin(
    job: JobStart,
    jobClass: JobClass,
    signal: AbortSignal,
    stall: Stall,
  ): Promise<{ readonly over: Promise<Error | undefined> }> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#queue = this.#queue.filter((other) => other !== queued);
        reject(signal.reason);
      };
      const queued: QueuedJob = {
        jobClass,
        run: (thread) => {
          signal.removeEventListener('abort', onAbort);
          resolve({ over: this.#run(thread, job, jobClass, stall) });
        },
        refuse: (error) => {
          signal.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      if (this.#closed) return queued.refuse(closed());
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(queued);
      this.#dispatch();
      if (this.#queue.length > 0) this.#watchStalls();
    });
  }

  /** Ends the threads that have no job, but for one. Where there is none, it starts one for the job to come. */
  async onIdle(): Promise<void> {
    if (this.#threads.size === 0 && !this.#closed) this.#freed(this.#startThread());
    const threads = [...this.#idle.keys()].slice(0, -1);
    for (const thread of threads) this.#forget(thread);
    await Promise.all(threads.map((thread) => thread.end()));
  }

  /** Refuses queued jobs, aborts running ones and ends all threads. */
  async stop(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#evictionTimer);
    for (const queued of this.#queue.splice(0)) queued.refuse(closed());
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    for (const stalls of Object.values(this.#running)) for (const stall of stalls) stall.abort(closed());
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #dispatch(): void {
    this.#queue = this.#queue.filter((queued) => {
      if (this.#running[queued.jobClass].size >= concurrencyLimits[queued.jobClass]) return true;
      queued.run(this.#takeThread());
      if (queued.jobClass === 'input' || queued.jobClass === 'output') this.#startSpare();
      return false;
    });
  }

  /** Has a thread ready while a stream is read or written: what an extraction reads is often packed by the next job. */
  #startSpare(): void {
    if (this.#idle.size === 0 && this.#threads.size < maxWithSpare) this.#freed(this.#startThread());
  }

  /** Looks for stalled clients as long as jobs are queued. */
  #watchStalls(): void {
    this.#evictionTimer ??= setInterval(() => {
      if (this.#queue.length === 0) {
        clearInterval(this.#evictionTimer);
        this.#evictionTimer = undefined;
        return;
      }
      for (const jobClass of new Set(this.#queue.map((queued) => queued.jobClass))) this.#evictStalled(jobClass);
    }, this.config.stallSeconds * 250).unref();
  }

  #evictStalled(jobClass: JobClass): void {
    const remaining = [...this.#running[jobClass]].filter(({ evicted }) => !evicted);
    const waiting = this.#queue.filter((queued) => queued.jobClass === jobClass).length;
    // The threads of those that were evicted before may need a moment to be free.
    if (this.#running[jobClass].size - remaining.length >= waiting) return;
    const since = ({ since = Number.POSITIVE_INFINITY }: Stall): number => since;
    const [longest] = remaining.sort((a, b) => since(a) - since(b));
    const limit = performance.now() - this.config.stallSeconds * 1000;
    if (longest !== undefined && since(longest) <= limit) longest.evict();
  }

  #takeThread(): ArchiveThread {
    // The one that was busy last, so that the others can end.
    const last = [...this.#idle.keys()].at(-1);
    if (last !== undefined) {
      this.#forget(last);
      return last;
    }
    return this.#startThread();
  }

  #startThread(): ArchiveThread {
    const thread: ArchiveThread = new ArchiveThread(this.idMappings, () => this.#freed(thread));
    this.#threads.add(thread);
    void thread.ended.then(() => {
      this.#threads.delete(thread);
      this.#forget(thread);
    });
    return thread;
  }

  #forget(thread: ArchiveThread): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
  }

  #run(thread: ArchiveThread, job: JobStart, jobClass: JobClass, stall: Stall): Promise<Error | undefined> {
    this.#running[jobClass].add(stall);
    const free = new Promise<undefined>((resolve) => this.#onFree.set(thread, () => resolve(undefined)));
    const died = thread.ended.then((error) => error ?? new Error('the thread has ended'));
    thread.start(job);
    const over = Promise.race([free, died]);
    void over.then(() => {
      this.#onFree.delete(thread);
      this.#running[jobClass].delete(stall);
      if (!this.#closed) this.#dispatch();
    });
    return over;
  }

  #freed(thread: ArchiveThread): void {
    if (!this.#closed) {
      const timer = setTimeout(() => {
        if (this.#idle.size === 1) return;
        // First, so that no job is given to a thread that is about to end.
        this.#forget(thread);
        void thread.end();
      }, this.config.idleSeconds * 1000);
      timer.unref();
      this.#idle.set(thread, timer);
    }
    this.#onFree.get(thread)?.();
  }
}

const closed = (): Error => unavailable('the archive threads have been closed');
