import { rm } from 'node:fs/promises';
import { ContainerLogs } from '@gantry/container-logs/service';
import { diskSemaphore, inject, injectable } from '@gantry/core/driver';
import { ContainerDirectories } from '../container-directories.js';
import { ContainerDrivers } from '../container-drivers.js';
import { LoggedRecords } from '../logging/logged-records.js';
import { imageWritablesOf } from '../mounts/image-writables.js';
import type { ContainerRecord } from '../record.js';
import { StoredSizes } from '../store/stored-sizes.js';

/** What a container has on disk besides its record: writable layers, log, directory and measured size. */
@injectable()
export class ContainerData {
  constructor(
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'remove'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
    @inject(StoredSizes) private readonly sizes: Pick<StoredSizes, 'forget'>,
  ) {}

  /** Once it resolves the layers below them can be removed. */
  async removeLayers(record: ContainerRecord): Promise<void> {
    const storage = this.drivers.storageOf(record);
    await Promise.all([record.id, ...imageWritablesOf(record)].map((id) => storage.removeWritable(id)));
  }

  /** Deletes all the rest. */
  async deleteFiles(record: ContainerRecord): Promise<void> {
    await this.sizes.forget(record.id);
    await this.logs.remove(this.logged.of(record));
    await diskSemaphore.run(() => rm(this.directories.of(record.id), { recursive: true, force: true }));
  }
}
