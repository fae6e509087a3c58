import { injectable } from '@gantry/core/driver';
import { conflict, notFound } from '@gantry/core/errors';
import type { ControlSolveRequest } from '../protocol/messages.js';
import { BuildJob } from './build-job.js';

/** How long calls that belong to a build wait for it: clients make them at the same time as the Solve. */
const openTimeout = 10_000;
/** How long the progress of an ended build is kept for a client that has not asked for it yet. */
const retention = 10_000;

/** The builds of clients, by the reference that the client chose. */
@injectable()
export class BuildJobs {
  readonly #jobs = new Map<string, BuildJob>();
  readonly #waiting = new Set<() => void>();

  /** @throws EngineError `conflict` when the reference is in use. */
  open(request: ControlSolveRequest): BuildJob {
    if (this.#jobs.has(request.Ref)) throw conflict(`build ${request.Ref} already exists`);
    const job = new BuildJob(request);
    this.#jobs.set(request.Ref, job);
    for (const resume of this.#waiting) resume();
    return job;
  }

  /** Whether it runs, or ended just now and its progress was not read yet. */
  has(ref: string): boolean {
    const job = this.#jobs.get(ref);
    return job !== undefined && !job.progress.wasFollowed;
  }

  end(job: BuildJob): void {
    job.end();
    setTimeout(() => this.#jobs.delete(job.request.Ref), retention).unref();
  }

  /** Waits for a build to be opened. Rejects `not-found` when it is not. */
  async get(ref: string, { signal }: { readonly signal: AbortSignal }): Promise<BuildJob> {
    const deadline = performance.now() + openTimeout;
    for (;;) {
      const job = this.#jobs.get(ref);
      if (job !== undefined) return job;
      signal.throwIfAborted();
      const left = deadline - performance.now();
      if (left <= 0) throw notFound(`no such build: ${ref}`);
      await this.#opened(left, signal);
    }
  }

  /** Resolves when any build is opened, or the time has passed. */
  async #opened(milliseconds: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, milliseconds);
      signal.addEventListener('abort', finish, { once: true });
      this.#waiting.add(finish);
    });
  }
}
