import { hostRoot, IdMappings } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import type { ContainerRecord } from '../record.js';
import { markRoot } from './mark-root.js';
import { MountLabels } from './mount-labels.js';
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
    @inject(MountLabels) private readonly labels: MountLabels,
    @inject(IdMappings) private readonly idMappings: IdMappings,
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

  /** Gives mounts and files of the engine the container's contexts, where it has them. */
  label(record: ContainerRecord, mounts: readonly ReadyMount[], files: readonly string[]): Promise<void> {
    return this.labels.apply(record, mounts, files);
  }

  /** Marks the root as a container's, and fills empty volumes from the image. */
  async initialize(record: ContainerRecord, rootfs: string, mounts: readonly ReadyMount[]): Promise<void> {
    await markRoot(rootfs, hostRoot(this.idMappings));
    await this.initializer.initialize(record, rootfs, mounts);
  }
}
