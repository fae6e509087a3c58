import { type DriverLifecycle, type DriverUse, inject, injectable, type Measurement } from '@gantry/core/driver';
import type { Orphan } from '@gantry/core/plugin';
import { ContainerRegistrations } from './container-registrations.js';
import { ContainerShutdown } from './container-shutdown.js';
import { MeasureAtLeisure } from './inspection/measure-at-leisure.js';
import { ContainerStartup } from './recovery/container-startup.js';
import { OrphanFinder } from './recovery/orphan-finder.js';
import { ContainerStore } from './store/container-store.js';

/** All of them are shown, also those that no container is in. */
const states = ['created', 'starting', 'running', 'paused', 'restarting', 'exited', 'removing', 'dead'] as const;

/** What the kernel calls of this package. */
@injectable()
export class ContainersLifecycle implements DriverLifecycle {
  constructor(
    @inject(ContainerRegistrations) registrations: ContainerRegistrations,
    @inject(ContainerStartup) private readonly startup: ContainerStartup,
    @inject(ContainerShutdown) private readonly shutdown: ContainerShutdown,
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(OrphanFinder) private readonly orphans: OrphanFinder,
    @inject(MeasureAtLeisure) private readonly sizes: MeasureAtLeisure,
  ) {
    // Before the start of any package, some of which ask for them.
    registrations.register();
  }

  async start(): Promise<void> {
    await this.startup.start();
  }

  async ready(): Promise<void> {
    this.startup.ready();
  }

  stop(signal: AbortSignal): Promise<void> {
    return this.shutdown.stop(signal);
  }

  onIdle(): Promise<void> {
    return this.sizes.measure();
  }

  driversInUse(): readonly DriverUse[] {
    const records = [...this.store.all()].map(({ record }) => record);
    return records
      .filter(({ state }) => state.status === 'running' || state.status === 'paused')
      .flatMap(({ hostConfig, id, storageDriver }) => [
        { driver: `storage/${storageDriver}`, user: `the file system of container ${id}` },
        { driver: `log/${hostConfig.LogConfig?.Type}`, user: `the log of container ${id}` },
      ]);
  }

  /** Logs of containers that do not run can be read as well. */
  driverReferences(): readonly DriverUse[] {
    return [...this.store.all()].map(({ record: { hostConfig, id } }) => ({
      driver: `log/${hostConfig.LogConfig?.Type}`,
      user: `the log of container ${id}`,
    }));
  }

  measure(): readonly Measurement[] {
    const counts = new Map<string, number>(states.map((state) => [state, 0]));
    for (const { record } of this.store.all()) {
      counts.set(record.state.status, (counts.get(record.state.status) ?? 0) + 1);
    }
    const values = [...counts].map(([state, value]) => ({ labels: { state }, value }));
    return [{ name: 'containers', type: 'gauge', help: 'Containers, by state', values }];
  }

  findOrphans(): Promise<readonly Orphan[]> {
    return this.orphans.find();
  }
}
