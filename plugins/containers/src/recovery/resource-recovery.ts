import { inject, injectable, Logger } from '@gantry/core/driver';
import { SandboxService } from '@gantry/networks/service';
import { VolumeService } from '@gantry/volumes/service';
import type { Container } from '../container.js';
import { volumeUses } from '../mounts/volume-uses.js';

/** Restores networks and volumes of containers that kept running while no daemon did. */
@injectable()
export class ResourceRecovery {
  constructor(
    @inject(SandboxService.token) private readonly sandboxes: Pick<SandboxService, 'restore'>,
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'restore'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** `unreadable` are ids of running containers whose records cannot be read; they keep their networks. */
  async restore(running: readonly Container[], unreadable: readonly string[]): Promise<void> {
    await Promise.all([
      this.sandboxes.restore([...running.map(({ id }) => id), ...unreadable]),
      this.volumes.restore(running.flatMap(({ record }) => volumeUses(record))).catch((error: unknown) => {
        const facts = { event: 'container.volumes-not-restored', error };
        this.log.error(facts, 'failed to restore the volumes of running containers');
      }),
    ]);
  }
}
