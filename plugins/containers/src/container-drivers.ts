import { type RuntimeDriver, RuntimeDrivers, type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { ContainerRecord } from './record.js';

/** Selects the drivers that a container's record names. */
@injectable()
export class ContainerDrivers {
  constructor(
    @inject(RuntimeDrivers.token) private readonly runtimes: DriverSet<RuntimeDriver>,
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
  ) {}

  /** The driver of that name; any other name is one of the default driver's runtimes, see `runtimeName`. */
  runtimeOf({ hostConfig }: ContainerRecord): RuntimeDriver {
    const { Runtime = '' } = hostConfig;
    return this.runtimes.has(Runtime) ? this.runtimes.get(Runtime) : this.runtimes.get();
  }

  /** Which of the default driver's runtimes the container asks for, such as `runc` or `crun`. */
  runtimeName({ hostConfig }: ContainerRecord): string | undefined {
    const { Runtime = '' } = hostConfig;
    const isOtherDriver = this.runtimes.has(Runtime) && Runtime !== this.runtimes.defaultId;
    return Runtime === '' || isOtherDriver ? undefined : Runtime;
  }

  storageOf(record: ContainerRecord): StorageDriver {
    return this.storages.get(record.storageDriver);
  }

  /** Mounts the container's root, whose files show the container's label where it has one. */
  mountRoot(record: ContainerRecord): Promise<string> {
    const { labels } = record;
    return this.storageOf(record).mount(record.id, labels && { label: labels.mount });
  }

  /** Whether the storage driver that holds the container's root is loaded. */
  hasStorageOf(record: ContainerRecord): boolean {
    return this.storages.has(record.storageDriver);
  }
}
