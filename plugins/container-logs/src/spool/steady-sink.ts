import { setTimeout as delay } from 'node:timers/promises';
import type { LogBatch, LogSink } from '@gantry/core/contracts';

/** Milliseconds. */
const firstRetry = 100;
const longestRetry = 5000;

/** A container's sink, opened when it is first needed. What fails is tried again until it works or the signal aborts. */
export class SteadySink {
  #sink: LogSink | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly open: () => Promise<LogSink>,
    private readonly signal: AbortSignal,
    private readonly report: (error: unknown) => void,
  ) {
    // A write to a server that does not answer ends with this.
    signal.addEventListener('abort', () => void this.close(), { once: true });
  }

  /** @returns false when it was not written because the signal aborted. */
  write(batch: LogBatch): Promise<boolean> {
    return this.#insist(async () => (await this.#opened()).write(batch));
  }

  /** The position the sink has stored; undefined when it stores none, or the signal aborted. */
  async resumeAt(): Promise<string | undefined> {
    let position: string | undefined;
    await this.#insist(async () => {
      position = await (await this.#opened()).resumeAt();
    });
    return position;
  }

  /** Opened again by the next write. */
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

  async #insist(work: () => Promise<void>): Promise<boolean> {
    for (let pause = firstRetry; !this.signal.aborted; pause = Math.min(pause * 2, longestRetry)) {
      try {
        await work();
        return true;
      } catch (error) {
        if (pause === firstRetry && !this.signal.aborted) this.report(error);
        await delay(pause, undefined, { signal: this.signal, ref: false }).catch(() => undefined);
      }
    }
    return false;
  }
}
