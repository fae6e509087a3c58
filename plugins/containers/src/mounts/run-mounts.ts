import { inject, injectable } from '@gantry/core/driver';
import type { ContainerRecord } from '../record.js';
import type { ReadyMount } from './ready-mount.js';
import { VolumeInitializer } from './volume-initializer.js';
import { VolumeMounts } from './volume-mounts.js';

/** The mounts of a run. */
@injectable()
export class RunMounts {
  constructor(
    @inject(VolumeMounts) private readonly volumes: VolumeMounts,
    @inject(VolumeInitializer) private readonly initializer: VolumeInitializer,
  ) {}

  /** The host paths of all mount points. What was mounted before a rejection is the caller's to unmount. */
  mount(record: ContainerRecord): Promise<ReadyMount[]> {
    return this.volumes.mount(record);
  }

  /** Fills empty volumes from the image. */
  initialize(...parameters: Parameters<VolumeInitializer['initialize']>): Promise<void> {
    return this.initializer.initialize(...parameters);
  }
}
