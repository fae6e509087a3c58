import { inject, injectable } from '@gantry/core/driver';
import type { ImageUser } from '@gantry/images/service';
import { ContainerStore } from './store/container-store.js';
import { isRunning } from './transitions.js';

/** Which containers, of any state, use an image or a volume. */
@injectable()
export class ContainerUsage {
  constructor(@inject(ContainerStore) private readonly store: ContainerStore) {}

  ofImage(imageId: string): readonly ImageUser[] {
    return [...this.store.usingImage(imageId)].map(({ id, record }) => ({
      containerId: id,
      running: isRunning(record.state),
    }));
  }

  /** Ids of the containers. */
  ofVolume(volume: string): readonly string[] {
    return [...this.store.all()]
      .filter(({ record }) => record.mounts.some(({ type, name }) => type === 'volume' && name === volume))
      .map(({ id }) => id);
  }
}
