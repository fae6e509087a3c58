import { inject, injectable, Logger } from '@gantry/core/driver';
import { VolumeService } from '@gantry/volumes/service';
import { ContainerStore } from '../store/container-store.js';

/** Volumes that were created for one container without a name. */
@injectable()
export class AnonymousVolumes {
  constructor(
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'remove'>,
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Removes them once their container is deleted; one that another container uses stays. Never rejects for these. */
  async remove(containerId: string, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const remove = (volume: string) =>
      this.volumes.remove(volume).catch((error: unknown) => {
        const facts = { event: 'container.volume-kept', container: containerId, volume, error };
        this.log.debug(facts, 'kept an anonymous volume');
      });
    await Promise.all(names.map(remove));
    await this.store.forgetVolumes(containerId);
  }
}
