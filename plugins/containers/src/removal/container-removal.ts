import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, internal, messageOf } from '@gantry/core/errors';
import type { Container } from '../container.js';
import { ContainerEvents } from '../container-events.js';
import type { ContainerRecord } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { Attachments } from '../streams/attachments.js';
import { beginRemoval, failRemoval } from '../transitions.js';
import { AnonymousVolumes } from './anonymous-volumes.js';
import { ContainerData } from './container-data.js';
import { UnusedLayers } from './unused-layers.js';

/** Removes containers that do not run, from the durable intent to the deleted record. */
@injectable()
export class ContainerRemoval {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerData) private readonly data: ContainerData,
    @inject(AnonymousVolumes) private readonly volumes: AnonymousVolumes,
    @inject(Attachments) private readonly attachments: Attachments,
    @inject(UnusedLayers) private readonly layers: UnusedLayers,
    @inject(ContainerEvents) private readonly events: ContainerEvents,
  ) {}

  /** The caller holds the container's mutex. Publishes `destroy`. Rejects `conflict` when it was started meanwhile. */
  async remove(container: Container, options: { readonly volumes: boolean }): Promise<void> {
    if (container.isRemoved) return;
    // In parallel with the release of the last run, which the next daemon also does for a container being removed.
    const [isBegun] = await Promise.all([container.change(beginRemoval(options.volumes)), container.released]);
    if (!isBegun) throw conflict(`container ${container.id} was started while it was to be removed`);
    crashPoint('container.remove.intended');
    const { record } = container;
    await this.attachments.endRun(record.id);
    try {
      await this.data.delete(record);
    } catch (error) {
      await container.change(failRemoval(messageOf(error)));
      throw internal(`unable to remove filesystem for ${record.id}: ${messageOf(error)}`, { cause: error });
    }
    crashPoint('container.remove.emptied');
    const volumes = options.volumes ? anonymousVolumesOf(record) : [];
    await this.store.delete(container, volumes);
    this.events.publish(record, 'destroy');
    crashPoint('container.remove.deleted');
    await this.volumes.remove(record.id, volumes);
    await this.layers.collect(record);
  }
}

const anonymousVolumesOf = (record: ContainerRecord): string[] =>
  record.mounts.flatMap((mount) => (mount.anonymous && mount.name ? [mount.name] : []));
