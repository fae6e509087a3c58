import { ContainerService, type Health, isAlive } from '@gantry/containers/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type EngineEvent, EngineEvents } from '@gantry/core/plugin';
import { healthCheckOf } from './health-check.js';
import type { HealthMonitor } from './health-monitor.js';
import { startingHealth } from './health-status.js';
import { HealthStore } from './health-store.js';
import { MonitorFactory } from './monitor-factory.js';

/** The health of all containers that have a check. */
@injectable()
export class HealthMonitors {
  readonly #monitors = new Map<string, HealthMonitor>();
  #unsubscribe: () => void = () => undefined;

  constructor(
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(HealthStore) private readonly store: HealthStore,
    @inject(MonitorFactory) private readonly factory: MonitorFactory,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  /** Monitors containers that are running, continuing from the stored health, and follows all others. */
  async start(): Promise<void> {
    this.lifetime.add(this.containers.addHealth((id) => this.#monitors.get(id)?.health));
    this.#unsubscribe = this.events.subscribe((event) => this.#onEvent(event));
    await Promise.all(
      this.containers.list().map(async ({ id, state }) => {
        if (!isAlive(state)) return;
        const stored = await this.store.read(id, state.startedAt);
        if (!this.#monitors.has(id)) this.#monitor(id, stored ?? startingHealth);
      }),
    );
  }

  /** Containers continue to run, and their health stays stored for the next daemon. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    for (const monitor of this.#monitors.values()) monitor.stop();
    await this.store.flush();
  }

  #onEvent({ type, action, actor: { id } }: EngineEvent): void {
    if (type !== 'container') return;
    if (action === 'start') this.#monitor(id, startingHealth);
    else if (action === 'pause') this.#monitors.get(id)?.interrupt();
    else if (action === 'die') this.#monitors.get(id)?.exited();
    else if (action === 'destroy') this.#forget(id);
  }

  #monitor(containerId: string, health: Health): void {
    this.#stopMonitoring(containerId);
    const record = this.containers.find(containerId);
    if (record === undefined || !isAlive(record.state)) return;
    const check = healthCheckOf(record.config);
    if (check === undefined) return;
    const { startedAt } = record.state;
    let storedStatus = health.status;
    const onProbe = (current: Health): void => {
      if (current.status === storedStatus) return;
      storedStatus = current.status;
      this.store.write(containerId, startedAt, current);
    };
    const run = { containerId, check, health, onProbe };
    this.#monitors.set(containerId, this.factory.start(run));
  }

  #forget(containerId: string): void {
    if (!this.#monitors.has(containerId)) return;
    this.#stopMonitoring(containerId);
    this.store.delete(containerId);
  }

  #stopMonitoring(containerId: string): void {
    this.#monitors.get(containerId)?.stop();
    this.#monitors.delete(containerId);
  }
}
