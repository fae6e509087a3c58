import type { Clock } from '@gantry/core/driver';
import { type BoundedQueue, FanOut } from '@gantry/core/streams';
import type { Sample } from './stats-record.js';

/** A sample and the one before it. Without a sample the container could not be measured at that moment. */
export interface Reading {
  readonly sample: Sample | undefined;
  readonly previous: Sample | undefined;
}

export interface SamplerOptions {
  readonly clock: Clock;
  /** The counters of now; undefined between two runs. */
  take(): Promise<Sample | undefined>;
  isRunning(): boolean;
  /** A sample that was taken recently, to compare the first one with. */
  readonly recent: Sample | undefined;
  /** There are no readers left, or the container has ended. */
  onEnd(last: Sample | undefined): void;
}

/** Milliseconds between two readings. */
const interval = 1000;
/** Milliseconds between the very first sample and the first reading, which takes two samples. */
export const firstInterval = 500;

/** A slow reader skips readings, and gets no notice of those it missed. */
const queueOptions = { limit: 4, sizeOf: () => 1, lost: () => undefined };

/** Measures one container for all its readers, as long as there are any. */
export class Sampler {
  readonly #readings = new FanOut<Reading | undefined>();
  #last: Sample | undefined;
  #reading: Reading | undefined;
  #cancelTimer: () => void = () => undefined;
  #hasEnded = false;

  constructor(private readonly options: SamplerOptions) {
    this.#last = options.recent;
  }

  /** The newest reading, at most an interval old. */
  get reading(): Reading | undefined {
    return this.#reading;
  }

  /** Adds a reader, which cancels the queue when it is done. */
  subscribe(): BoundedQueue<Reading | undefined> {
    const queue = this.#readings.subscribe(queueOptions);
    if (this.#reading !== undefined) queue.push(this.#reading);
    return queue;
  }

  /** Starts to measure. Never rejects: the readers' queues fail. */
  async start(): Promise<void> {
    if (this.#last !== undefined) return this.#tick();
    try {
      this.#last = await this.options.take();
      this.#cancelTimer = this.options.clock.after(firstInterval, () => void this.#tick());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends all readers after the readings they have not consumed yet. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#cancelTimer();
    this.#readings.end();
    this.options.onEnd(this.#last);
  }

  async #tick(): Promise<void> {
    if (this.#hasEnded) return;
    if (this.#readings.readers === 0 || !this.options.isRunning()) return this.end();
    this.#cancelTimer = this.options.clock.after(interval, () => void this.#tick());
    try {
      const sample = await this.options.take();
      this.#reading = { sample, previous: sample === undefined ? undefined : this.#last };
      this.#last = sample;
      this.#readings.push(this.#reading);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#readings.fail(error instanceof Error ? error : new Error(String(error)));
    this.end();
  }
}
