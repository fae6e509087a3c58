import { Clock, inject, injectable, rfc3339 } from '@gantry/core/driver';
import type { ContainerRecord, MountPoint } from '../record.js';
import type { ContainerPlan } from './container-plan.js';
import { LabelChoice } from './label-choice.js';

/** Writes the records of new containers. */
@injectable()
export class NewRecords {
  constructor(
    @inject(LabelChoice) private readonly labels: Pick<LabelChoice, 'choose'>,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  /** Rejects `invalid-argument` for security labels that the host's policy does not have. */
  async of(
    { id, name, image, imageName, prepared, temporary }: ContainerPlan,
    storageDriver: string,
    mounts: readonly MountPoint[],
  ): Promise<ContainerRecord> {
    const { path, args, config, hostConfig, networks } = prepared;
    const labels = await this.labels.choose(id, hostConfig);
    return {
      id,
      name,
      createdAt: rfc3339(this.clock.now()),
      imageId: image.id,
      imageName,
      path,
      args,
      config,
      hostConfig,
      networks,
      mounts,
      storageDriver,
      state: { status: 'created' },
      restartCount: 0,
      stoppedByUser: false,
      everStarted: false,
      ...(labels !== undefined && { labels }),
      ...(temporary === true && { temporary: true }),
    };
  }
}
