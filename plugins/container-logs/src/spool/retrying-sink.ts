import { setTimeout as delay } from 'node:timers/promises';
import type { LogBatch, LogSink } from '@gantry/core/contracts';

/** Milliseconds. */
const firstBackoff = 100;
const maxBackoff = 5000;

/** A container's sink, opened on first use. Failed calls are retried with back-off until the signal aborts. */
export class RetryingSink {
  #sink: LogSink | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly open: () => Promise<LogSink>,
    private readonly signal: AbortSignal,
    private readonly report: (error: unknown) => void,
  ) {
    // Closing also ends a write to a server that does not respond.
    signal.addEventListener('abort', () => void this.close(), { once: true });
  }

  /** @returns false if the signal aborted before it was written. */
  write(batch: LogBatch): Promise<boolean> {
    return this.#retry(async () => (await this.#opened()).write(batch));
  }

  /** The position that the sink has stored; undefined if it stores none, or the signal aborted. */
  async resumeAt(): Promise<string | undefined> {
    let position: string | undefined;
    await this.#retry(async () => {
      position = await (await this.#opened()).resumeAt();
    });
    return position;
  }

  /** The next write opens it again. */
  async close(): Promise<void> {
    const sink = this.#sink;
    this.#sink = undefined;
    if (sink !== undefined) this.#closing = sink.close().catch(this.report);
    await this.#closing;
  }

  async #opened(): Promise<LogSink> {
    this.#sink ??= await this.open();
    if (this.signal.aborted) await this.close();
    this.signal.throwIfAborted();
    return this.#sink;
  }

  async #retry(work: () => Promise<void>): Promise<boolean> {
    for (let backoff = firstBackoff; !this.signal.aborted; backoff = Math.min(backoff * 2, maxBackoff)) {
      try {
        await work();
        return true;
      } catch (error) {
        if (backoff === firstBackoff && !this.signal.aborted) this.report(error);
        await delay(backoff, undefined, { signal: this.signal, ref: false }).catch(() => undefined);
      }
    }
    return false;
  }
}
