import { rm } from 'node:fs/promises';
import { type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { type DriverSet, diskSemaphore, inject, injectable, Logger } from '@gantry/core/driver';
import { VolumeService } from '@gantry/volumes/service';
import { ContainerDirectories } from '../container-directories.js';
import { ContainerStore } from '../store/container-store.js';
import type { VolumeCreation } from './container-volumes.js';

/** Deletes what a failed create has created. */
@injectable()
export class CreateRollback {
  constructor(
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'remove'>,
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Never rejects: what cannot be deleted is logged, and the next daemon tries again. */
  async rollBack(id: string, { anonymous, writables }: Pick<VolumeCreation, 'anonymous' | 'writables'>): Promise<void> {
    const storage = this.storages.get();
    const outcomes = await Promise.allSettled([
      ...[id, ...writables].map((writable) => storage.removeWritable(writable)),
      diskSemaphore.run(() => rm(this.directories.of(id), { recursive: true, force: true })),
      ...anonymous.map((volume) => this.volumes.remove(volume)),
    ]);
    await this.store.forgetVolumes(id).catch(() => undefined);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      const facts = { event: 'container.rollback-failed', container: id, error: outcome.reason };
      this.log.warn(facts, 'failed to roll back the create of a container');
    }
  }
}
