import { type ContainerService, type Health, isAlive } from '@gantry/containers/service';
import { type Clock, type Logger, nanosOf } from '@gantry/core/driver';
import type { HealthCheck } from './health-check.js';
import { afterProbe, exitedHealth, nextProbe } from './health-status.js';
import type { ProbeRunner } from './probe-runner.js';

/** What is monitored: one run of a container. */
export interface MonitoredRun {
  readonly containerId: string;
  readonly check: HealthCheck;
  /** What was known of the run's health before. */
  readonly health: Health;
  /** Called after every probe that counts. */
  onProbe(health: Health): void;
}

/** Probes one container during one run, one probe after the other. */
export class HealthMonitor {
  #health: Health;
  #cancelTimer: () => void = () => undefined;
  #probe: AbortController | undefined;
  #hasStopped = false;

  constructor(
    private readonly run: MonitoredRun,
    private readonly containers: ContainerService,
    private readonly probes: Pick<ProbeRunner, 'run'>,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.#health = run.health;
    this.#schedule();
  }

  get health(): Health {
    return this.#health;
  }

  /** Aborts the probe in progress, if there is one. The next one starts at its time. */
  interrupt(): void {
    this.#probe?.abort();
  }

  /** The daemon stops; the container continues to run. */
  stop(): void {
    if (this.#hasStopped) return;
    this.#hasStopped = true;
    this.#cancelTimer();
    this.interrupt();
  }

  /** The run is over. */
  exited(): void {
    this.stop();
    this.#health = exitedHealth(this.#health);
  }

  #schedule(): void {
    if (this.#hasStopped) return;
    this.#cancelTimer = this.clock.after(this.#delay(), () => {
      void this.#runProbe().finally(() => this.#schedule());
    });
  }

  #delay(): number {
    const { check, containerId } = this.run;
    const state = this.containers.find(containerId)?.state;
    if (state?.status !== 'running') return check.interval;
    return nextProbe(this.#health, check, Number(this.clock.now() - nanosOf(state.startedAt)) / 1e6);
  }

  /** Never rejects. */
  async #runProbe(): Promise<void> {
    const { check, containerId } = this.run;
    const probe = new AbortController();
    this.#probe = probe;
    try {
      const { state } = this.containers.get(containerId);
      // A paused container cannot answer; its health does not change.
      if (state.status !== 'running') return;
      const result = await this.probes.run(containerId, check, probe);
      if (result === undefined || this.#hasStopped) return;
      const sinceStart = Number(nanosOf(result.start) - nanosOf(state.startedAt)) / 1e6;
      this.#update(afterProbe(this.#health, result, check, sinceStart));
    } catch (error) {
      if (this.#hasStopped || !this.#isContainerAlive()) return;
      const facts = { event: 'container.probe-failed', container: containerId, error };
      this.log.warn(facts, 'failed to run health check');
    } finally {
      this.#probe = undefined;
    }
  }

  #update(health: Health): void {
    const previous = this.#health.status;
    this.#health = health;
    this.run.onProbe(health);
    if (previous === health.status) return;
    this.containers.publish(this.run.containerId, `health_status: ${health.status}`);
  }

  #isContainerAlive(): boolean {
    const record = this.containers.find(this.run.containerId);
    return record !== undefined && isAlive(record.state);
  }
}
