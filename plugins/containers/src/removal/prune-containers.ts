import { inject, injectable } from '@gantry/core/driver';
import type { PruneFilters } from '@gantry/core/http';
import { EngineEvents, prune } from '@gantry/core/plugin';
import { ContainerSizes } from '../inspection/container-sizes.js';
import { ContainerStore } from '../store/container-store.js';
import { isRunning } from '../transitions.js';
import { RemoveContainer } from './remove-container.js';

interface PrunedContainers {
  readonly ids: readonly string[];
  /** Bytes of their writable layers. */
  readonly reclaimed: number;
}

/** Spec: POST /containers/prune. */
@injectable()
export class PruneContainers {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerSizes) private readonly sizes: ContainerSizes,
    @inject(RemoveContainer) private readonly removeContainer: RemoveContainer,
    @inject(EngineEvents) private readonly events: EngineEvents,
  ) {}

  /** Removes all containers that do not run. One that is started or removed meanwhile is left out. Publishes `prune`. */
  async prune(filters: PruneFilters, { signal }: { readonly signal: AbortSignal }): Promise<PrunedContainers> {
    const { reclaimed, removed } = await prune(this.events, {
      type: 'container',
      candidates: this.store.all(),
      isUnneeded: ({ record: { config, createdAt, state } }) =>
        !isRunning(state) &&
        !['starting', 'removing'].includes(state.status) &&
        filters.matches(config.Labels, createdAt),
      remove: ({ id }) => this.#remove(id),
      tolerated: ['not-found', 'conflict'],
      signal,
    });
    return { ids: removed.map(({ id }) => id), reclaimed };
  }

  async #remove(id: string): Promise<number | undefined> {
    const record = this.store.byId(id)?.record;
    if (record === undefined) return undefined;
    const { writable } = await this.sizes.measure(record);
    await this.removeContainer.remove(id, { force: false, volumes: false });
    return writable;
  }
}
