import type { LoggedContainer, LoggedContainers, LogSource } from '@gantry/container-logs/service';
import { inject, injectable } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { ContainerDirectories } from '../container-directories.js';
import { ContainerDrivers } from '../container-drivers.js';
import type { ContainerRecord } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { isRunning } from '../transitions.js';

/** Containers as the logs area needs them. */
@injectable()
export class LoggedRecords implements LoggedContainers {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
  ) {}

  of(record: ContainerRecord): LoggedContainer {
    return {
      id: record.id,
      name: record.name,
      imageId: record.imageId,
      imageName: record.imageName,
      command: [record.path, ...record.args],
      createdAt: new Date(record.createdAt),
      labels: record.config.Labels ?? {},
      env: record.config.Env ?? [],
      options: record.hostConfig.LogConfig?.Config ?? {},
      directory: this.directories.of(record.id),
      driver: record.hostConfig.LogConfig?.Type ?? '',
      terminal: record.config.Tty ?? false,
    };
  }

  source(reference: string): LogSource {
    return this.sourceOf(this.store.get(reference));
  }

  sourceOf(container: Container): LogSource {
    return {
      container: this.of(container.record),
      isRunning: () => !container.isRemoved && isRunning(container.record.state),
      ended: ({ signal }) =>
        container
          .until(({ state }) => !isRunning(state) && state.status !== 'starting', { signal })
          .catch(() => undefined),
    };
  }

  async rotateSpool(id: string): Promise<string | undefined> {
    const container = this.store.byId(id);
    return container === undefined ? undefined : this.drivers.runtimeOf(container.record).io.rotateSpool(id);
  }
}
