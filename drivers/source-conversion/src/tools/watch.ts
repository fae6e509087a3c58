import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversionContext } from '../conversion-context.js';
import { SourceError } from '../source-error.js';

const sizeEveryMs = 5000;

/** Ends a call: at its caller's signal, when nothing has come for too long, when it takes more room than allowed. */
export class Watch {
  readonly #controller = new AbortController();
  readonly #stallMs: number;
  readonly #timers: NodeJS.Timeout[] = [];
  #lastActivity = performance.now();
  #failure: SourceError | undefined;
  readonly #onAbort = (): void => this.#controller.abort(this.context.signal?.reason);

  constructor(
    private readonly context: Pick<ConversionContext, 'signal' | 'stallSeconds' | 'maxBytes'>,
    private readonly directories: readonly string[],
  ) {
    const { signal, stallSeconds = 300, maxBytes } = context;
    this.#stallMs = stallSeconds * 1000;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted === true) this.#onAbort();
    this.#every(Math.min(1000, this.#stallMs / 4), () => this.#checkStall());
    if (maxBytes !== undefined) this.#every(sizeEveryMs, () => void this.checkSize());
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The source has sent something, or work on it goes on. */
  readonly seeActivity = (): void => {
    this.#lastActivity = performance.now();
  };

  /** Does not end for silence while `work` is waited for, which is this host's and not the source's. */
  async withoutSource<T>(work: Promise<T>): Promise<T> {
    const timer = setInterval(this.seeActivity, Math.min(1000, this.#stallMs / 4));
    try {
      return await work;
    } finally {
      clearInterval(timer);
      this.seeActivity();
    }
  }

  /** Throws the reason this call is over, if it is. */
  throwIfEnded(): void {
    this.context.signal?.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Rejects SourceError `too-large` when there is more than allowed. */
  async checkSize(): Promise<void> {
    const { maxBytes } = this.context;
    if (maxBytes === undefined) return;
    let bytes = 0;
    for (const directory of this.directories) bytes += await sizeOf(directory);
    if (bytes > maxBytes) {
      this.#fail(new SourceError('too-large', `the import takes more than the ${maxBytes} bytes allowed`, 'importing'));
    }
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.context.signal?.removeEventListener('abort', this.#onAbort);
  }

  #every(ms: number, check: () => void): void {
    const timer = setInterval(check, ms);
    timer.unref();
    this.#timers.push(timer);
  }

  #checkStall(): void {
    if (performance.now() - this.#lastActivity < this.#stallMs) return;
    const words = `the source has sent nothing for ${this.#stallMs / 1000} seconds`;
    this.#fail(new SourceError('unreachable', words, 'importing'));
  }

  #fail(error: SourceError): void {
    this.#failure ??= error;
    this.#controller.abort(error);
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const facts = await lstat(path);
    if (!facts.isDirectory()) return facts.blocks * 512;
    let bytes = 0;
    for (const name of await readdir(path)) bytes += await sizeOf(join(path, name));
    return bytes;
  } catch {
    // Gone since it was listed.
    return 0;
  }
}
