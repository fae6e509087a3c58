import { randomBytes } from 'node:crypto';
import { inject, injectable } from '@gantry/core/driver';
import { VolumeService } from '@gantry/volumes/service';
import type { PreparedMount } from '../configuration/mounts/prepared-mount.js';
import { checkBindSource } from '../mounts/check-bind-source.js';
import type { MountPoint } from '../record.js';
import { ContainerStore } from '../store/container-store.js';

interface VolumeCreation {
  /** Names of the volumes that are created for this container alone. */
  readonly anonymous: readonly string[];
  /** Creates the volumes that are absent. The caller removes the anonymous ones when anything fails. */
  create(): Promise<MountPoint[]>;
}

/** The volumes of a new container. */
@injectable()
export class ContainerVolumes {
  constructor(
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'ensure'>,
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'intendVolumes'>,
  ) {}

  /** Notes the anonymous volumes before they are created, so that a crash leaves none behind. */
  async intend(id: string, prepared: readonly PreparedMount[]): Promise<VolumeCreation> {
    await Promise.all(prepared.map(checkBindSource));
    const mounts = prepared.map(withVolumeName);
    const anonymous = mounts.flatMap((mount, index) => (mount === prepared[index] ? [] : (mount.name ?? [])));
    await this.store.intendVolumes(id, anonymous);
    return { anonymous, create: () => Promise.all(mounts.map((mount) => this.#mountPoint(mount))) };
  }

  async #mountPoint(prepared: PreparedMount): Promise<MountPoint> {
    const { volumeOptions, volumeLabels, ...mount } = prepared;
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
