import { type BoundedQueue, FanOut } from '@gantry/core/streams';
import type { Clock } from '../clock.js';
import type { Sample } from './stats-record.js';

/** Two samples, of which the later is news. Without one the container was not there to be measured. */
export interface Reading {
  readonly sample: Sample | undefined;
  readonly previous: Sample | undefined;
}

export interface SamplerParts {
  readonly clock: Clock;
  /** Counters of now; undefined between two runs. */
  take(): Promise<Sample | undefined>;
  /** False when the container has ended. */
  goesOn(): boolean;
  /** The last sample somebody took a short while ago. */
  readonly recent: Sample | undefined;
  /** There is no reader left, or nothing to read. */
  onEnd(last: Sample | undefined): void;
}

/** Milliseconds between two readings. */
const period = 1000;
/** And between the first sample of all and the first reading, for which it takes two. */
export const firstGap = 500;

/** Who is too slow finds the newest readings, and none in the place of those it missed. */
const queueOptions = { limit: 4, sizeOf: () => 1, lost: () => undefined };

/** Measures one container for all who watch it, and nobody's sake when nobody does. */
export class Sampler {
  readonly #parts: SamplerParts;
  readonly #readings = new FanOut<Reading | undefined>();
  #last: Sample | undefined;
  #reading: Reading | undefined;
  #callOff: () => void = () => undefined;
  #ended = false;

  constructor(parts: SamplerParts) {
    this.#parts = parts;
    this.#last = parts.recent;
  }

  /** The newest reading, at most a period old. */
  get reading(): Reading | undefined {
    return this.#reading;
  }

  /** Adds a reader, who cancels the queue. */
  subscribe(): BoundedQueue<Reading | undefined> {
    const queue = this.#readings.subscribe(queueOptions);
    if (this.#reading !== undefined) queue.push(this.#reading);
    return queue;
  }

  /** Begins to measure. Never rejects: a failure is the readers' to hear. */
  async start(): Promise<void> {
    if (this.#last !== undefined) return this.#tick();
    try {
      this.#last = await this.#parts.take();
      this.#callOff = this.#parts.clock.after(firstGap, () => void this.#tick());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends all readers, after what they have not read yet. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#callOff();
    this.#readings.end();
    this.#parts.onEnd(this.#last);
  }

  async #tick(): Promise<void> {
    if (this.#ended) return;
    if (this.#readings.readers === 0 || !this.#parts.goesOn()) return this.end();
    this.#callOff = this.#parts.clock.after(period, () => void this.#tick());
    try {
      const sample = await this.#parts.take();
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
