import { randomBytes } from 'node:crypto';
import { inject, injectable } from '@gantry/core/driver';
import { VolumeService } from '@gantry/volumes/service';
import type { PreparedMount } from '../configuration/mounts/prepared-mount.js';
import { ContainerUsage } from '../container-usage.js';
import { checkBindSource } from '../mounts/check-bind-source.js';
import { imageWritable } from '../mounts/image-writables.js';
import type { MountPoint } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { allSettled } from '../tasks/all-settled.js';
import { ImageMounts } from './image-mounts.js';

export interface VolumeCreation {
  /** Names of the volumes that are created for this container alone. */
  readonly anonymous: readonly string[];
  /** Ids of the writable layers that show images. */
  readonly writables: readonly string[];
  /**
   * Creates the volumes that are absent and the writable layers. The caller removes them, and of the volumes the anonymous
   * ones, when anything fails; then no step is under way.
   */
  create(): Promise<MountPoint[]>;
  /**
   * The record of the container names the volumes from now on, or the container is given up. Until then they are in use, so
   * that no client removes one that was there before.
   */
  release(): void;
}

/** The volumes of a new container. */
@injectable()
export class ContainerVolumes {
  constructor(
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'ensure'>,
    @inject(ImageMounts) private readonly images: ImageMounts,
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'intendVolumes'>,
    @inject(ContainerUsage) private readonly usage: Pick<ContainerUsage, 'planVolumes'>,
  ) {}

  /** Notes the anonymous volumes before they are created, so that a crash leaves none behind. */
  async intend(id: string, prepared: readonly PreparedMount[]): Promise<VolumeCreation> {
    await Promise.all(prepared.map(checkBindSource));
    const mounts = prepared.map(withVolumeName);
    const anonymous = mounts.flatMap((mount, index) => (mount === prepared[index] ? [] : (mount.name ?? [])));
    await this.store.intendVolumes(id, anonymous);
    const writables = mounts.flatMap(({ image }, index) => (image === undefined ? [] : [imageWritable(id, index)]));
    const create = () => allSettled(mounts.map((mount, index) => this.#mountPoint(mount, imageWritable(id, index))));
    const release = this.usage.planVolumes(
      id,
      mounts.flatMap(({ name, type }) => (type === 'volume' && name !== undefined ? [name] : [])),
    );
    return { anonymous, writables, create, release };
  }

  async #mountPoint(prepared: PreparedMount, writable: string): Promise<MountPoint> {
    const { image, volumeOptions, volumeLabels, ...mount } = prepared;
    if (image !== undefined) return { ...mount, image: await this.images.create(image, writable) };
    if (mount.type !== 'volume') return mount;
    const volume = await this.volumes.ensure({
      ...(mount.name !== undefined && { name: mount.name }),
      ...(mount.anonymous && { anonymous: true }),
      ...(mount.driver !== undefined && mount.driver !== '' && { driver: mount.driver }),
      ...(volumeOptions !== undefined && { options: volumeOptions }),
      ...(volumeLabels !== undefined && { labels: volumeLabels }),
    });
    return { ...mount, name: volume.name, driver: volume.driver, source: volume.mountpoint };
  }
}

/** A volume without a name gets a generated one. */
const withVolumeName = (mount: PreparedMount): PreparedMount =>
  mount.type !== 'volume' || mount.name ? mount : { ...mount, name: randomBytes(32).toString('hex'), anonymous: true };
