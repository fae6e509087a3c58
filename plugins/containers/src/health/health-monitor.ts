import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { nanosOf } from '../clock.js';
import type { Health } from '../interfaces.js';
import type { ContainerService } from '../service.js';
import { isAlive } from '../transitions.js';
import type { HealthCheck } from './health-check.js';
import { afterProbe, endedHealth } from './health-status.js';
import { type ProbeParts, runProbe } from './run-probe.js';

export interface MonitorParts extends ProbeParts {
  readonly containers: Pick<ContainerService, 'execTarget' | 'publish' | 'get'>;
  readonly log: Logger;
  /** Told after every probe that counts. */
  readonly onChange: (health: Health) => void;
}

/** Probes one container during one run of it, one probe after the other. */
export class HealthMonitor {
  #health: Health;
  #callOff: () => void = () => undefined;
  #probe: AbortController | undefined;
  #isEnded = false;

  constructor(
    private readonly parts: MonitorParts,
    private readonly containerId: string,
    private readonly check: HealthCheck,
    health: Health,
  ) {
    this.#health = health;
    this.#wait();
  }

  get health(): Health {
    return this.#health;
  }

  /** Gives a probe up that is under way. The next one comes at its time. */
  interrupt(): void {
    this.#probe?.abort();
  }

  /** The run is over, or the engine stops. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#callOff();
    this.interrupt();
  }

  /** Ends with the container. */
  endWithRun(): void {
    this.end();
    this.#health = endedHealth(this.#health);
  }

  #wait(): void {
    if (this.#isEnded) return;
    this.#callOff = this.parts.clock.after(this.check.interval, () => {
      void this.#run().finally(() => this.#wait());
    });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { containers, log } = this.parts;
    const probing = new AbortController();
    this.#probe = probing;
    try {
      const { state } = containers.get(this.containerId);
      // A paused one cannot answer, and is none the worse for it.
      if (state.status !== 'running') return;
      const result = await runProbe(this.parts, this.containerId, this.check, probing);
      if (result === undefined || this.#isEnded) return;
      const sinceStart = Number(nanosOf(result.start) - nanosOf(state.startedAt)) / 1e6;
      this.#take(afterProbe(this.#health, result, this.check, sinceStart));
    } catch (error) {
      if (this.#isEnded || !this.#isAlive()) return;
      const facts = { event: 'container.probe-failed', container: this.containerId, reason: messageOf(error) };
      log.warn(facts, 'a health check could not be run');
    } finally {
      this.#probe = undefined;
    }
  }

  #take(health: Health): void {
    const before = this.#health.status;
    this.#health = health;
    this.parts.onChange(health);
    if (before !== health.status) this.parts.containers.publish(this.containerId, `health_status: ${health.status}`);
  }

  #isAlive(): boolean {
    try {
      return isAlive(this.parts.containers.get(this.containerId).state);
    } catch {
      return false;
    }
  }
}
