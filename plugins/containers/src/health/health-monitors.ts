import type { Logger } from '@gantry/core/driver';
import type { EngineEvent, EngineEvents } from '@gantry/core/plugin';
import type { Clock } from '../clock.js';
import type { Health } from '../interfaces.js';
import type { ContainerService } from '../service.js';
import { isAlive } from '../transitions.js';
import type { Admission } from './admission.js';
import { healthCheckOf } from './health-check.js';
import type { HealthFiles } from './health-files.js';
import { HealthMonitor } from './health-monitor.js';
import { startingHealth } from './health-status.js';

export interface HealthParts {
  readonly containers: ContainerService;
  readonly events: EngineEvents;
  readonly files: HealthFiles;
  readonly clock: Clock;
  readonly starts: Admission;
  readonly log: Logger;
}

/** The health of all containers that have a check. */
export class HealthMonitors {
  readonly #parts: HealthParts;
  readonly #monitors = new Map<string, HealthMonitor>();
  #unsubscribe: () => void = () => undefined;

  constructor(parts: HealthParts) {
    this.#parts = parts;
  }

  /** Undefined for a container without a check, or one that has not run since the engine was started. */
  of(containerId: string): Health | undefined {
    return this.#monitors.get(containerId)?.health;
  }

  /** Goes on with the containers that run, where the last daemon left off, and follows all others. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#parts.events.subscribe((event) => this.#follow(event));
    const running = this.#parts.containers.list().filter(({ state }) => isAlive(state));
    await Promise.all(
      running.map(async ({ id }) => {
        const health = await this.#parts.files.read(id);
        if (!this.#monitors.has(id)) this.#begin(id, health ?? startingHealth);
      }),
    );
  }

  /** Containers run on; their health is kept for the next daemon. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    for (const monitor of this.#monitors.values()) monitor.end();
    await this.#parts.files.settle();
  }

  #follow({ type, action, actor }: EngineEvent): void {
    if (type !== 'container') return;
    const monitor = this.#monitors.get(actor.id);
    if (action === 'start') this.#begin(actor.id, startingHealth);
    else if (action === 'pause') monitor?.interrupt();
    else if (action === 'die') monitor?.endWithRun();
    else if (action === 'destroy') this.#forget(actor.id);
  }

  #begin(id: string, health: Health): void {
    this.#forget(id);
    const { containers, files } = this.#parts;
    const { config, state } = containers.get(id);
    const check = healthCheckOf(config);
    if (check === undefined || !isAlive(state)) return;
    const { startedAt } = state;
    let kept = health.status;
    const onChange = (now: Health): void => {
      if (now.status === kept) return;
      kept = now.status;
      files.write(id, startedAt, now);
    };
    this.#monitors.set(id, new HealthMonitor({ ...this.#parts, onChange }, id, check, health));
  }

  #forget(id: string): void {
    this.#monitors.get(id)?.end();
    this.#monitors.delete(id);
  }
}
