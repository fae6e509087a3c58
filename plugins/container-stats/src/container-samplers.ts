import { ContainerService, isAlive, isRunning } from '@gantry/containers/service';
import { Clock, inject, injectable, Lifetime } from '@gantry/core/driver';
import type { BoundedQueue } from '@gantry/core/streams';
import { firstInterval, type Reading, Sampler } from './sampler.js';
import type { Sample } from './stats-record.js';
import { SystemCpuReader } from './system-cpu.js';

/** For how long a sample serves as the previous one of the next, in milliseconds. */
const maxAge = 10_000;

/** Measures containers: one sampler for each that is watched, and single readings. */
@injectable()
export class ContainerSamplers {
  readonly #samplers = new Map<string, Sampler>();
  readonly #recent = new Map<string, Sample>();

  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(SystemCpuReader) private readonly systemCpu: SystemCpuReader,
    @inject(Clock.token) private readonly clock: Clock,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(containers.onExit((id) => this.#onExit(id)));
  }

  /** Readings of a running container, about one a second, to its end. The reader cancels the queue. */
  watch(id: string): BoundedQueue<Reading | undefined> {
    const active = this.#samplers.get(id);
    if (active !== undefined) return active.subscribe();
    const sampler = this.#newSampler(id);
    this.#samplers.set(id, sampler);
    const queue = sampler.subscribe();
    void sampler.start();
    return queue;
  }

  /** A single reading: at once where there is a sample to compare with, else half a second later. */
  async read(id: string, { signal }: { readonly signal: AbortSignal }): Promise<Reading> {
    const watched = this.#samplers.get(id)?.reading;
    if (watched !== undefined) return watched;
    let previous = this.#recentOf(id);
    if (previous === undefined) {
      previous = await this.#take(id);
      await this.#delay(firstInterval, signal);
    }
    const sample = await this.#take(id);
    if (sample !== undefined) this.#recent.set(id, sample);
    return { sample, previous: sample === undefined ? undefined : previous };
  }

  /** The counters of now, with nothing to compare them with. */
  async readAlone(id: string): Promise<Reading> {
    return { sample: await this.#take(id), previous: undefined };
  }

  /** Undefined when the container does not run at this moment. */
  async #take(id: string): Promise<Sample | undefined> {
    const [task, system] = await Promise.all([this.containers.taskStats(id), this.systemCpu.read()]);
    return task === undefined ? undefined : { task, system };
  }

  #newSampler(id: string): Sampler {
    const sampler: Sampler = new Sampler({
      clock: this.clock,
      recent: this.#recentOf(id),
      take: () => this.#take(id),
      isRunning: () => this.#isRunning(id),
      onEnd: (last) => {
        if (this.#samplers.get(id) === sampler) this.#samplers.delete(id);
        const state = this.containers.find(id)?.state;
        if (last !== undefined && state !== undefined && isAlive(state)) this.#recent.set(id, last);
      },
    });
    return sampler;
  }

  #onExit(id: string): void {
    this.#recent.delete(id);
    // A container that restarts under its policy is measured again in its next run.
    if (!this.#isRunning(id)) this.#samplers.get(id)?.end();
  }

  #isRunning(id: string): boolean {
    const record = this.containers.find(id);
    return record !== undefined && isRunning(record.state);
  }

  #recentOf(id: string): Sample | undefined {
    const recent = this.#recent.get(id);
    const age = recent === undefined ? 0 : Date.now() - recent.task.readAt.getTime();
    // Samples too close to each other give no percentage.
    return recent !== undefined && age >= firstInterval / 2 && age <= maxAge ? recent : undefined;
  }

  #delay(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.clock.after(milliseconds, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      const onAbort = () => {
        cancel();
        reject(signal.reason);
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
