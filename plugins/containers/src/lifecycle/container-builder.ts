import { crashPoint } from '@gantry/core/crash-points';
import { Clock, inject, injectable, rfc3339 } from '@gantry/core/driver';
import type { Image } from '@gantry/images/service';
import type { PreparedContainer } from '../configuration/prepared-container.js';
import type { ContainerRecord, MountPoint } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { ContainerLayer } from './container-layer.js';
import { ContainerVolumes } from './container-volumes.js';
import { CreateAnnouncement } from './create-announcement.js';
import { CreateRollback } from './create-rollback.js';

export interface ContainerPlan {
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
    @inject(ContainerVolumes) private readonly volumes: ContainerVolumes,
    @inject(ContainerLayer) private readonly layer: ContainerLayer,
    @inject(CreateRollback) private readonly rollback: CreateRollback,
    @inject(CreateAnnouncement) private readonly announcement: CreateAnnouncement,
    @inject(Clock.token) private readonly clock: Clock,
  ) {}

  /** Publishes `create`. On rejection everything is rolled back. */
  async build(plan: ContainerPlan): Promise<void> {
    const { id, prepared } = plan;
    const volumes = await this.volumes.intend(id, prepared.mounts);
    const steps = [volumes.create(), this.layer.create(plan)] as const;
    try {
      const [mounts] = await Promise.all(steps);
      crashPoint('container.create.made');
      const record = this.#record(plan, mounts);
      await this.store.insert(record);
      crashPoint('container.create.stored');
      this.announcement.announce(record);
    } catch (error) {
      await Promise.allSettled(steps);
      await this.rollback.rollBack(id, volumes);
      throw error;
    }
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
      storageDriver: this.layer.driver,
      state: { status: 'created' },
      restartCount: 0,
      stoppedByUser: false,
      everStarted: false,
      ...(temporary === true && { temporary: true }),
    };
  }
}
