import { kindOf } from '@gantry/core/errors';
import type { BoundedQueue } from '@gantry/core/streams';
import type { Container } from '../container.js';
import { type Parts, runtimeOf } from '../parts.js';
import { isAlive, isRunning } from '../transitions.js';
import { firstGap, type Reading, Sampler } from './sampler.js';
import type { Sample } from './stats-record.js';
import type { SystemCpu } from './system-cpu.js';

/** How long a sample is good as the one before the next, in milliseconds. */
const keptFor = 10_000;

type NeededParts = Pick<Parts, 'runtimes' | 'clock' | 'exitListeners' | 'store'>;

/** Measures containers: one sampler for each that is watched, and single readings. */
export class StatsSamplers {
  readonly #parts: NeededParts;
  readonly #systemCpu: () => Promise<SystemCpu>;
  readonly #samplers = new Map<string, Sampler>();
  readonly #recent = new Map<string, Sample>();

  constructor(parts: NeededParts, systemCpu: () => Promise<SystemCpu>) {
    this.#parts = parts;
    this.#systemCpu = systemCpu;
    parts.exitListeners.add((id) => this.#exited(id));
  }

  /** Readings of a running container, about one a second, to its end. The reader cancels the queue. */
  watch(container: Container): BoundedQueue<Reading | undefined> {
    const known = this.#samplers.get(container.id);
    if (known !== undefined) return known.subscribe();
    const sampler = this.#newSampler(container);
    this.#samplers.set(container.id, sampler);
    const queue = sampler.subscribe();
    void sampler.start();
    return queue;
  }

  /** A single reading: at once where there is something to compare with, else half a second later. */
  async read(container: Container, { signal }: { readonly signal: AbortSignal }): Promise<Reading> {
    const watched = this.#samplers.get(container.id)?.reading;
    if (watched !== undefined) return watched;
    let previous = this.#recentOf(container.id);
    if (previous === undefined) {
      previous = await this.#take(container);
      await this.#pause(firstGap, signal);
    }
    const sample = await this.#take(container);
    if (sample !== undefined) this.#remember(container.id, sample);
    return { sample, previous: sample === undefined ? undefined : previous };
  }

  /** Counters of now and nothing to compare them with. */
  async readAlone(container: Container): Promise<Reading> {
    return { sample: await this.#take(container), previous: undefined };
  }

  /** Undefined when it does not run at this moment. */
  async #take({ id, record }: Container): Promise<Sample | undefined> {
    if (!isAlive(record.state)) return undefined;
    try {
      const [task, system] = await Promise.all([runtimeOf(this.#parts, record).stats(id), this.#systemCpu()]);
      return { task, system };
    } catch (error) {
      if (kindOf(error) === 'not-found') return undefined;
      throw error;
    }
  }

  #newSampler(container: Container): Sampler {
    const { id } = container;
    const sampler: Sampler = new Sampler({
      clock: this.#parts.clock,
      recent: this.#recentOf(id),
      take: () => this.#take(container),
      goesOn: () => !container.isGone && isRunning(container.record.state),
      onEnd: (last) => {
        if (this.#samplers.get(id) === sampler) this.#samplers.delete(id);
        if (last !== undefined && isAlive(container.record.state)) this.#remember(id, last);
      },
    });
    return sampler;
  }

  #exited(id: string): void {
    this.#recent.delete(id);
    const state = this.#parts.store.byId(id)?.record.state;
    // Between two runs under a restart policy there is something to wait for.
    if (state === undefined || !isRunning(state)) this.#samplers.get(id)?.end();
  }

  #remember(id: string, sample: Sample): void {
    this.#recent.set(id, sample);
  }

  #recentOf(id: string): Sample | undefined {
    const recent = this.#recent.get(id);
    const age = recent === undefined ? 0 : Date.now() - recent.task.readAt.getTime();
    // Two samples that are too near give no percentage.
    return recent !== undefined && age >= firstGap / 2 && age <= keptFor ? recent : undefined;
  }

  #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = this.#parts.clock.after(milliseconds, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      const onAbort = () => {
        end();
        reject(signal.reason);
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
