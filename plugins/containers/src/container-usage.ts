import { inject, injectable } from '@gantry/core/driver';
import type { ImageUser } from '@gantry/images/service';
import { ContainerStore } from './store/container-store.js';
import { isRunning } from './transitions.js';

/** Which containers, of any state, use an image or a volume. */
@injectable()
export class ContainerUsage {
  /** Names of volumes, by the id of the container that is being created with them. */
  readonly #planned = new Map<string, ReadonlySet<string>>();

  constructor(@inject(ContainerStore) private readonly store: ContainerStore) {}

  ofImage(imageId: string): readonly ImageUser[] {
    return [...this.store.usingImage(imageId)].map(({ id, record }) => ({
      containerId: id,
      running: isRunning(record.state),
    }));
  }

  /** A container that is being created uses its volumes already. @returns ends that: it is stored, or given up. */
  planVolumes(id: string, volumes: readonly string[]): () => void {
    this.#planned.set(id, new Set(volumes));
    return () => void this.#planned.delete(id);
  }

  /** Ids of the containers. */
  ofVolume(volume: string): readonly string[] {
    const stored = [...this.store.all()]
      .filter(({ record }) => record.mounts.some(({ type, name }) => type === 'volume' && name === volume))
      .map(({ id }) => id);
    const planned = [...this.#planned].filter(([, names]) => names.has(volume)).map(([id]) => id);
    return [...new Set([...stored, ...planned])];
  }
}
