import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { ContainerLogs } from '@gantry/container-logs/service';
import { type StorageDriver, StorageDrivers, type WritableRequest } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { Clock, type DriverSet, diskSemaphore, inject, injectable, rfc3339 } from '@gantry/core/driver';
import type { Image } from '@gantry/images/service';
import { VolumeService } from '@gantry/volumes/service';
import type { PreparedMount } from '../configuration/mounts/prepared-mount.js';
import { parseStorageSize } from '../configuration/parse-storage-size.js';
import type { PreparedContainer } from '../configuration/prepared-container.js';
import { ContainerDirectories } from '../container-directories.js';
import { ContainerEvents } from '../container-events.js';
import { LoggedRecords } from '../logging/logged-records.js';
import type { ContainerRecord, MountPoint } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { CreateRollback } from './create-rollback.js';

interface ContainerPlan {
  readonly id: string;
  /** Reserved by the caller. */
  readonly name: string;
  /** Held by the caller. */
  readonly image: Image;
  readonly imageName: string;
  readonly prepared: PreparedContainer;
  readonly temporary?: boolean;
}

/** Creates what a new container needs on disk: volumes, writable layer, directory and record. */
@injectable()
export class ContainerBuilder {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(StorageDrivers.token) private readonly storages: DriverSet<StorageDriver>,
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'ensure'>,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(CreateRollback) private readonly rollback: CreateRollback,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'prepare'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  /** Publishes `create`. On rejection everything is rolled back. */
  async build(plan: ContainerPlan): Promise<void> {
    const { id, prepared } = plan;
    const writable = writableFor(plan);
    const wanted = prepared.mounts.map(withVolumeName);
    const anonymous = wanted.flatMap((mount, index) => (mount === prepared.mounts[index] ? [] : (mount.name ?? [])));
    // Noted before they are created, so that a crash leaves none behind.
    await this.store.intendVolumes(id, anonymous);
    const steps = [
      Promise.all(wanted.map((mount) => this.#mountPoint(mount))),
      this.storages.get().createWritable(writable),
      diskSemaphore.run(() => mkdir(this.directories.of(id), { recursive: true, mode: 0o710 })),
    ] as const;
    try {
      const [mounts] = await Promise.all(steps);
      crashPoint('container.create.made');
      const record = this.#record(plan, mounts);
      await this.store.insert(record);
      crashPoint('container.create.stored');
      this.events.publish(record, 'create');
      this.logs.prepare(this.logged.of(record));
    } catch (error) {
      await Promise.allSettled(steps);
      await this.rollback.rollBack(id, anonymous);
      throw error;
    }
  }

  async #mountPoint(prepared: PreparedMount): Promise<MountPoint> {
    const { volumeOptions, volumeLabels, ...mount } = prepared;
    if (mount.type !== 'volume') return mount;
    const volume = await this.volumes.ensure({
      ...(mount.name !== undefined && { name: mount.name }),
      ...(mount.driver !== undefined && mount.driver !== '' && { driver: mount.driver }),
      ...(volumeOptions !== undefined && { options: volumeOptions }),
      ...(volumeLabels !== undefined && { labels: volumeLabels }),
    });
    return { ...mount, name: volume.name, driver: volume.driver, source: volume.mountpoint };
  }

  #record({ id, name, image, imageName, prepared, temporary }: ContainerPlan, mounts: MountPoint[]): ContainerRecord {
    const { path, args, config, hostConfig, networks } = prepared;
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
      storageDriver: this.storages.defaultId ?? '',
      state: { status: 'created' },
      restartCount: 0,
      stoppedByUser: false,
      everStarted: false,
      ...(temporary === true && { temporary: true }),
    };
  }
}

function writableFor({ id, image, prepared }: ContainerPlan): WritableRequest {
  const size = parseStorageSize(prepared.hostConfig.StorageOpt);
  const parent = image.topLayer;
  return { id, ...(parent !== undefined && { parent }), ...(size !== undefined && { size }) };
}

/** A volume without a name gets a generated one. */
const withVolumeName = (mount: PreparedMount): PreparedMount =>
  mount.type !== 'volume' || mount.name ? mount : { ...mount, name: randomBytes(32).toString('hex'), anonymous: true };
