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
import { BackgroundDeletions } from './background-deletions.js';
import { ContainerData } from './container-data.js';

/**
 * Removes containers that do not run. Once the intent is durable and the writable layers are gone, the container is: what
 * else it has on disk is deleted in the background.
 */
@injectable()
export class ContainerRemoval {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerData) private readonly data: ContainerData,
    @inject(BackgroundDeletions) private readonly deletions: BackgroundDeletions,
    @inject(AnonymousVolumes) private readonly volumes: AnonymousVolumes,
    @inject(Attachments) private readonly attachments: Attachments,
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
      await this.data.removeLayers(record);
    } catch (error) {
      await container.change(failRemoval(messageOf(error)));
      throw internal(`unable to remove filesystem for ${record.id}: ${messageOf(error)}`, { cause: error });
    }
    crashPoint('container.remove.emptied');
    const erase = await this.store.forget(container);
    if (!container.isDestroyPublished) this.events.publish(record, 'destroy');
    if (options.volumes) await this.volumes.remove(record.id, anonymousVolumesOf(record));
    crashPoint('container.remove.gone');
    this.deletions.begin(record, erase);
  }
}

const anonymousVolumesOf = (record: ContainerRecord): string[] =>
  record.mounts.flatMap((mount) => (mount.anonymous && mount.name ? [mount.name] : []));
