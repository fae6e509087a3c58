import { inject, injectable } from '@gantry/core/driver';
import type { ContainerRecord } from '../record.js';
import { MountPins } from './mount-pins.js';
import type { ReadyMount } from './ready-mount.js';
import { VolumeInitializer } from './volume-initializer.js';
import { VolumeMounts } from './volume-mounts.js';

/** The mounts of a run. */
@injectable()
export class RunMounts {
  /** By container. */
  readonly #releases = new Map<string, () => Promise<void>>();

  constructor(
    @inject(VolumeMounts) private readonly volumes: VolumeMounts,
    @inject(VolumeInitializer) private readonly initializer: VolumeInitializer,
    @inject(MountPins) private readonly pins: MountPins,
  ) {}

  /** The host paths of all mount points. What was mounted before a rejection is the caller's to unmount. */
  async mount(record: ContainerRecord): Promise<readonly ReadyMount[]> {
    const { mounts, release } = await this.pins.pin(await this.volumes.mount(record));
    this.#releases.set(record.id, release);
    return mounts;
  }

  /** Releases what only the runtime needed to create the task. Never rejects. */
  async releasePins(containerId: string): Promise<void> {
    const release = this.#releases.get(containerId);
    this.#releases.delete(containerId);
    await release?.();
  }

  /** Fills empty volumes from the image. */
  initialize(...parameters: Parameters<VolumeInitializer['initialize']>): Promise<void> {
    return this.initializer.initialize(...parameters);
  }
}
