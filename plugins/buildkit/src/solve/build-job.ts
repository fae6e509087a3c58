import { randomUUID } from 'node:crypto';
import { notFound } from '@gantry/core/errors';
import { JobProgress } from '../progress/job-progress.js';
import type { ControlSolveRequest } from '../protocol/messages.js';

/** One build of a client, from its Solve to its end. */
export class BuildJob {
  readonly progress: JobProgress;
  readonly #ended = new AbortController();
  readonly #results = new Map<string, string>();
  readonly #releases: (() => void)[] = [];
  readonly #returned: Promise<string | undefined>;
  #return!: { readonly resolve: (imageId: string | undefined) => void; readonly reject: (error: Error) => void };

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

  /** Keeps an image for as long as the job lasts. @returns the name under which clients refer to it. */
  addResult(imageId: string, release: () => void): string {
    const name = randomUUID();
    this.#results.set(name, imageId);
    this.#releases.push(release);
    return name;
  }

  /** The image of a result; undefined for the empty name, which stands for no result. */
  result(name: string): string | undefined {
    if (name === '') return undefined;
    const imageId = this.#results.get(name);
    if (imageId === undefined) throw notFound(`no such ref: ${name}`);
    return imageId;
  }

  /** The client's build function is complete. */
  complete(imageId: string | undefined): void {
    this.#return.resolve(imageId);
  }

  fail(error: Error): void {
    this.#return.reject(error);
  }

  /** Waits for the client's build function. Rejects with its error, or when the client cancels. */
  async returned(signal: AbortSignal): Promise<string | undefined> {
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
