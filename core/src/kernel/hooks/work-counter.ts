import type { Measurement } from './measurement.js';

/** Counts work by its outcome, and the time it takes. */
export class WorkCounter {
  readonly #ended = { succeeded: 0, failed: 0 };
  #running = 0;
  #milliseconds = 0;

  /** @param name what is counted, in the plural: `image_pulls`. @param what the same for people: `pulls of images`. */
  constructor(
    private readonly name: string,
    private readonly what: string,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    this.#running += 1;
    let outcome: 'succeeded' | 'failed' = 'failed';
    try {
      const result = await work();
      outcome = 'succeeded';
      return result;
    } finally {
      this.#running -= 1;
      this.#ended[outcome] += 1;
      this.#milliseconds += performance.now() - began;
    }
  }

  measure(): readonly Measurement[] {
    const { name, what } = this;
    const ended = Object.entries(this.#ended).map(([outcome, value]) => ({ labels: { outcome }, value }));
    return [
      { name: `${name}_total`, type: 'counter', help: `Ended ${what}, by outcome`, values: ended },
      {
        name: `${name}_seconds_total`,
        type: 'counter',
        help: `Time that ended ${what} took`,
        values: [{ value: this.#milliseconds / 1000 }],
      },
      { name: `${name}_running`, type: 'gauge', help: `Running ${what}`, values: [{ value: this.#running }] },
    ];
  }
}
