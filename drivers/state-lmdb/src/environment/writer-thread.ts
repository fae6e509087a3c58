import { Worker } from 'node:worker_threads';
import { unavailable } from '@gantry/core/errors';
import type { Write, WriterAnswer, WriterData, WriterRequest } from './messages.js';

function makeWorker(): Worker {
  return new Worker(new URL('./writer-worker.js', import.meta.url), {
    stderr: true, // LMDB's binding prints its errors, which are also returned as answers
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
}

/** The thread that has the data file open for writing, so that a slow disk does not block the daemon's own thread. */
export class WriterThread {
  readonly #worker: Worker;
  /** Resolves when the last request has been answered. */
  #idle: Promise<WriterAnswer>;
  #answer: ((answer: WriterAnswer) => void) | undefined;
  #end: string | undefined;

  constructor(private readonly data: WriterData) {
    this.#worker = makeWorker();
    this.#worker.stderr.resume(); // not before: it keeps the process alive
    this.#worker.postMessage(data);
    this.#worker.on('message', (answer: WriterAnswer) => this.#finish(answer));
    this.#worker.on('error', (error: Error) => this.#die(error.message));
    this.#worker.on('exit', (code) => this.#die(`the writing thread ended with code ${code}`));
    this.#idle = this.#expect();
  }

  /** Whether a damaged file is rebuilt first. */
  get isRebuilding(): boolean {
    return this.data.rebuild !== undefined;
  }

  /** Rejects `unavailable` with the reason when the file could not be opened. */
  async ready(): Promise<void> {
    const failure = await this.#idle;
    if (failure !== undefined) throw this.#failure(failure);
  }

  /** One call at a time. Rejects `unavailable`, and then nothing was written. */
  async commit(writes: readonly Write[]): Promise<void> {
    await this.ready();
    const failure = await this.#ask(
      writes,
      writes.flatMap(({ value }) => (value === undefined ? [] : [value.buffer as ArrayBuffer])),
    );
    // A failed commit does not keep the next from trying.
    this.#idle = Promise.resolve(undefined);
    if (failure !== undefined) throw this.#failure(failure);
  }

  /** One call at a time, commits included. Rejects `unavailable` with the reason. */
  async copy(file: string): Promise<void> {
    await this.ready();
    const failure = await this.#ask({ copyTo: file }, []);
    this.#idle = Promise.resolve(undefined);
    if (failure !== undefined) throw unavailable(`cannot copy ${this.data.file} to ${file}: ${failure}`);
  }

  async close(): Promise<void> {
    await this.#idle;
    if (this.#end === undefined) await this.#ask(undefined, []);
    this.#end ??= 'it is closed';
    await this.#worker.terminate();
  }

  #ask(request: WriterRequest, transfer: ArrayBuffer[]): Promise<WriterAnswer> {
    if (this.#end !== undefined) return Promise.resolve(this.#end);
    this.#idle = this.#expect();
    this.#worker.postMessage(request, transfer);
    return this.#idle;
  }

  /** An expected answer keeps the process alive; the thread alone does not. */
  #expect(): Promise<WriterAnswer> {
    this.#worker.ref();
    return new Promise((answer) => {
      this.#answer = answer;
    });
  }

  #finish(answer: WriterAnswer): void {
    this.#worker.unref();
    this.#answer?.(answer);
    this.#answer = undefined;
  }

  #die(reason: string): void {
    this.#end ??= reason;
    this.#finish(this.#end);
  }

  #failure(reason: string): Error {
    return unavailable(`cannot write ${this.data.file}: ${reason}`);
  }
}
