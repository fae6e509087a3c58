import { rm } from 'node:fs/promises';
import { ContainerLogs } from '@gantry/container-logs/service';
import { diskSemaphore, inject, injectable } from '@gantry/core/driver';
import { ContainerDirectories } from '../container-directories.js';
import { ContainerDrivers } from '../container-drivers.js';
import { LoggedRecords } from '../logging/logged-records.js';
import { imageWritablesOf } from '../mounts/image-writables.js';
import type { ContainerRecord } from '../record.js';
import { StoredSizes } from '../store/stored-sizes.js';

/** What a container has on disk besides its record: writable layer, log and directory. */
@injectable()
export class ContainerData {
  constructor(
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'remove'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
    @inject(StoredSizes) private readonly sizes: Pick<StoredSizes, 'forget'>,
  ) {}

  async delete(record: ContainerRecord): Promise<void> {
    const storage = this.drivers.storageOf(record);
    const writables = [record.id, ...imageWritablesOf(record)];
    await this.sizes.forget(record.id);
    await Promise.all([...writables.map((id) => storage.removeWritable(id)), this.#deleteFiles(record)]);
  }

  async #deleteFiles(record: ContainerRecord): Promise<void> {
    await this.logs.remove(this.logged.of(record));
    await diskSemaphore.run(() => rm(this.directories.of(record.id), { recursive: true, force: true }));
  }
}
