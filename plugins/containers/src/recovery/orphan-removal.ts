import { inject, injectable, Logger } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { ContainerDrivers } from '../container-drivers.js';
import { AnonymousVolumes } from '../removal/anonymous-volumes.js';
import { RootMounts } from '../roots/root-mounts.js';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';
import { OrphanedFiles } from './orphaned-files.js';

/** Removes what a crash left: writable layers, directories and volumes without a container, and stale mounts. */
@injectable()
export class OrphanRemoval {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(OrphanedFiles) private readonly files: OrphanedFiles,
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(AnonymousVolumes) private readonly volumes: AnonymousVolumes,
    @inject(RootMounts) private readonly roots: RootMounts,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * Finds them, before clients are accepted: nothing must be created meanwhile.
   * @returns removes them. Never rejects: what fails is logged.
   */
  async find(): Promise<() => Promise<void>> {
    const files = await this.files.find();
    const volumes = this.store.orphanedVolumes().filter(([id]) => !this.store.quarantined().includes(id));
    const idle = [...this.store.all()].filter(({ record }) => !isAlive(record.state));
    return async () => {
      for (const { name, remove } of files) await this.#attempt(name, remove);
      for (const [id, { volumes: names }] of volumes) await this.#attempt(id, () => this.volumes.remove(id, names));
      for (const container of idle) await this.#attempt(container.id, () => this.#unmount(container));
    };
  }

  #unmount(container: Container): Promise<void> {
    return container.mutex.run(async () => {
      const { record, isRemoved } = container;
      if (isRemoved || isAlive(record.state) || !this.drivers.hasStorageOf(record)) return;
      await this.roots.unmountUnused(container);
    });
  }

  async #attempt(orphan: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      const facts = { event: 'container.orphan-kept', orphan, error };
      this.log.warn(facts, 'failed to remove an orphan of an earlier daemon');
    });
  }
}
