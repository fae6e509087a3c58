import { type DriverLifecycle, type DriverUse, inject, injectable } from '@gantry/core/driver';
import type { Orphan } from '@gantry/core/plugin';
import { ContainerRegistrations } from './container-registrations.js';
import { ContainerShutdown } from './container-shutdown.js';
import { ContainerStartup } from './recovery/container-startup.js';
import { OrphanFinder } from './recovery/orphan-finder.js';
import { ContainerStore } from './store/container-store.js';

/** What the kernel calls of this package. */
@injectable()
export class ContainersLifecycle implements DriverLifecycle {
  constructor(
    @inject(ContainerRegistrations) registrations: ContainerRegistrations,
    @inject(ContainerStartup) private readonly startup: ContainerStartup,
    @inject(ContainerShutdown) private readonly shutdown: ContainerShutdown,
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(OrphanFinder) private readonly orphans: OrphanFinder,
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

  driversInUse(): readonly DriverUse[] {
    const records = [...this.store.all()].map(({ record }) => record);
    return records
      .filter(({ state }) => state.status === 'running' || state.status === 'paused')
      .flatMap(({ hostConfig, id, storageDriver }) => [
        { driver: `storage/${storageDriver}`, user: `the file system of container ${id}` },
        { driver: `log/${hostConfig.LogConfig?.Type}`, user: `the log of container ${id}` },
      ]);
  }

  findOrphans(): Promise<readonly Orphan[]> {
    return this.orphans.find();
  }
}
