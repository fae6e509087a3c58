import { concurrently } from '../concurrently.js';
import { percentile, timed } from '../measurements.js';

const concurrency = 8;

/** Names or ids of what a growth created. */
export class GrownList {
  #all: string[] = [];
  #begun = 0;

  get size(): number {
    return this.#all.length;
  }

  get names(): readonly string[] {
    return this.#all;
  }

  /** One of the oldest, the middle and the newest. */
  get samples(): readonly string[] {
    return [0, this.#all.length >> 1, this.#all.length - 1].flatMap((index) => this.#all[index] ?? []);
  }

  /** Creates, eight at a time, until there are `size`. After an error what has begun is awaited, and no more begins. */
  async grow(size: number, create: (index: number) => Promise<string>, limit = concurrency): Promise<void> {
    const indexes = Array.from({ length: Math.max(0, size - this.#all.length) }, () => this.#begun++);
    await concurrently(indexes, limit, async (index) => {
      this.#all.push(await create(index));
    });
  }

  add(names: readonly string[]): void {
    this.#all.push(...names);
  }

  /** Removes the newest first, since others may be above the older ones. */
  async remove(remove: (name: string) => Promise<unknown>, limit = concurrency): Promise<void> {
    const removed = new Set<string>();
    try {
      await concurrently([...this.#all].reverse(), limit, async (name) => {
        await remove(name);
        removed.add(name);
      });
    } finally {
      this.#all = this.#all.filter((name) => !removed.has(name));
    }
  }
}

/** The median duration of some calls, in milliseconds. */
export async function medianMs(work: (round: number) => Promise<unknown>, times = 9): Promise<number> {
  const all: number[] = [];
  for (let count = 0; count < times; count += 1) await timed(all, () => work(count));
  return percentile(all, 0.5);
}

/** The median duration of a call for each sample, three times each. */
export const medianOfSamples = ({ samples }: GrownList, work: (name: string) => Promise<unknown>): Promise<number> =>
  medianMs((round) => work(samples[round % samples.length] ?? ''));
