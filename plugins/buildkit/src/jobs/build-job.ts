import { randomUUID } from 'node:crypto';
import { notFound } from '@gantry/core/errors';
import { JobProgress } from '../progress/job-progress.js';
import type { ControlSolveRequest } from '../protocol/messages.js';

/** What a build made. */
export interface JobResult {
  readonly imageId: string;
  /** The last image of each stage that ran. */
  readonly stageImages: readonly string[];
}

/** One build of a client, from its Solve to its end. */
export class BuildJob {
  readonly progress: JobProgress;
  readonly #ended = new AbortController();
  readonly #results = new Map<string, JobResult>();
  readonly #releases: (() => void)[] = [];
  readonly #returned: Promise<JobResult | undefined>;
  #return!: { readonly resolve: (result: JobResult | undefined) => void; readonly reject: (error: Error) => void };

  constructor(readonly request: ControlSolveRequest) {
    this.progress = new JobProgress(request.Ref);
    this.#returned = new Promise((resolve, reject) => {
      this.#return = { resolve, reject };
    });
    this.#returned.catch(() => undefined);
  }

  /** Aborts when the job has ended. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Keeps images for as long as the job lasts. @returns the name under which clients refer to them. */
  addResult(result: JobResult, release: () => void): string {
    const name = randomUUID();
    this.#results.set(name, result);
    this.#releases.push(release);
    return name;
  }

  /** The images of a result; undefined for the empty name, which stands for no result. */
  result(name: string): JobResult | undefined {
    if (name === '') return undefined;
    const result = this.#results.get(name);
    if (result === undefined) throw notFound(`no such ref: ${name}`);
    return result;
  }

  /** The client's build function is complete. */
  complete(result: JobResult | undefined): void {
    this.#return.resolve(result);
  }

  fail(error: Error): void {
    this.#return.reject(error);
  }

  /** Waits for the client's build function. Rejects with its error, or when the client cancels. */
  async returned(signal: AbortSignal): Promise<JobResult | undefined> {
    const cancel = (): void => this.fail(signal.reason as Error);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      signal.throwIfAborted();
      return await this.#returned;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  end(): void {
    this.#ended.abort();
    for (const release of this.#releases.splice(0)) release();
    this.progress.end();
  }
}
