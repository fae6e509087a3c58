import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import type { PruneFilters } from '@gantry/core/http';
import { EngineEvents } from '@gantry/core/plugin';
import { NetworkStore } from '../store/network-store.js';
import { RemoveNetwork } from './remove-network.js';

/** Spec: POST /networks/prune. */
@injectable()
export class PruneNetworks {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(RemoveNetwork) private readonly removeNetwork: RemoveNetwork,
    @inject(EngineEvents) private readonly events: EngineEvents,
  ) {}

  /** Removes all networks of clients that no running container is on. @returns their names. Publishes `prune`. */
  async prune(filters: PruneFilters, { signal }: { readonly signal: AbortSignal }): Promise<readonly string[]> {
    const names: string[] = [];
    for (const { id, name, labels, createdAt, predefined, configuration } of [...this.store.networks()]) {
      if (signal.aborted) break;
      if (
        predefined ||
        configuration !== undefined ||
        this.store.endpointsOn(id).length > 0 ||
        !filters.matches(labels, createdAt)
      )
        continue;
      try {
        await this.removeNetwork.remove(id);
        names.push(name);
      } catch (error) {
        // A container has joined it, or another client has removed it.
        if (kindOf(error) !== 'forbidden' && kindOf(error) !== 'not-found') throw error;
      }
    }
    this.events.publish({ type: 'network', action: 'prune', actor: { id: '', attributes: { reclaimed: '0' } } });
    return names;
  }
}
