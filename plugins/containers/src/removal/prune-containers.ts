import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import type { PruneFilters } from '@gantry/core/http';
import { EngineEvents } from '@gantry/core/plugin';
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
    const ids: string[] = [];
    let reclaimed = 0;
    for (const { id, record } of [...this.store.all()]) {
      if (signal.aborted) break;
      const isIdle = !isRunning(record.state) && !['starting', 'removing'].includes(record.state.status);
      if (!isIdle || !filters.matches(record.config.Labels, record.createdAt)) continue;
      const bytes = await this.#remove(id);
      if (bytes === undefined) continue;
      ids.push(id);
      reclaimed += bytes;
    }
    const attributes = { reclaimed: String(reclaimed) };
    this.events.publish({ type: 'container', action: 'prune', actor: { id: '', attributes } });
    return { ids, reclaimed };
  }

  async #remove(id: string): Promise<number | undefined> {
    const record = this.store.byId(id)?.record;
    if (record === undefined) return undefined;
    const { writable } = await this.sizes.measure(record);
    try {
      await this.removeContainer.remove(id, { force: false, volumes: false });
      return writable;
    } catch (error) {
      if (kindOf(error) === 'not-found' || kindOf(error) === 'conflict') return undefined;
      throw error;
    }
  }
}
