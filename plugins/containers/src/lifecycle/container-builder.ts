import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { ContainerStore } from '../store/container-store.js';
import { ContainerLayer } from './container-layer.js';
import type { ContainerPlan } from './container-plan.js';
import { ContainerVolumes } from './container-volumes.js';
import { CreateAnnouncement } from './create-announcement.js';
import { CreateRollback } from './create-rollback.js';
import { NewRecords } from './new-records.js';

/** Creates what a new container needs on disk: volumes, writable layer, directory and record. */
@injectable()
export class ContainerBuilder {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerVolumes) private readonly volumes: ContainerVolumes,
    @inject(ContainerLayer) private readonly layer: ContainerLayer,
    @inject(CreateRollback) private readonly rollback: CreateRollback,
    @inject(CreateAnnouncement) private readonly announcement: CreateAnnouncement,
    @inject(NewRecords) private readonly records: NewRecords,
  ) {}

  /** Publishes `create`. On rejection everything is rolled back. */
  async build(plan: ContainerPlan): Promise<void> {
    const { id, prepared } = plan;
    const volumes = await this.volumes.intend(id, prepared.mounts);
    const steps = [volumes.create(), this.layer.create(plan)] as const;
    try {
      const [mounts] = await Promise.all(steps);
      crashPoint('container.create.made');
      const record = await this.records.of(plan, this.layer.driver, mounts);
      await this.store.insert(record);
      volumes.release();
      crashPoint('container.create.stored');
      this.announcement.announce(record);
    } catch (error) {
      await Promise.allSettled(steps);
      volumes.release();
      await this.rollback.rollBack(id, volumes);
      throw error;
    }
  }
}
