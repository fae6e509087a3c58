import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type SourceContext, SourceError } from '@gantry/core/contracts';

const sizeEveryMs = 5000;

/** Aborts a call: with its caller's signal, when the source stalls, or when it takes more disk space than allowed. */
export class ActivityWatch {
  readonly #controller = new AbortController();
  readonly #stallMs: number;
  readonly #timers: NodeJS.Timeout[] = [];
  #lastActivity = performance.now();
  #failure: SourceError | undefined;
  readonly #onAbort = (): void => this.#controller.abort(this.context.signal?.reason);

  constructor(
    private readonly context: Pick<SourceContext, 'signal' | 'stallSeconds' | 'maxBytes'>,
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

  /** Restarts the stall timer: the source sent something, or work on it progressed. */
  readonly recordActivity = (): void => {
    this.#lastActivity = performance.now();
  };

  /** Suspends the stall timer during work that is done on this host alone. */
  async withoutStallTimer<T>(work: Promise<T>): Promise<T> {
    const timer = setInterval(this.recordActivity, Math.min(1000, this.#stallMs / 4));
    try {
      return await work;
    } finally {
      clearInterval(timer);
      this.recordActivity();
    }
  }

  /** Throws the reason the call was aborted for, if it was. */
  throwIfAborted(): void {
    this.context.signal?.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Aborts the call as `too-large` when the directories hold more than allowed. */
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
    const message = `the source has sent nothing for ${this.#stallMs / 1000} seconds`;
    this.#fail(new SourceError('unreachable', message, 'importing'));
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
    // Removed since it was listed.
    return 0;
  }
}
