import { inject, injectable } from '@gantry/core/driver';
import type { PruneFilters } from '@gantry/core/http';
import { EngineEvents, prune } from '@gantry/core/plugin';
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
    const { removed } = await prune(this.events, {
      type: 'network',
      candidates: this.store.networks(),
      isUnneeded: ({ configuration, createdAt, id, labels, predefined, swarm }) =>
        !predefined &&
        swarm?.ingress !== true &&
        configuration === undefined &&
        this.store.endpointsOn(id).length === 0 &&
        filters.matches(labels, createdAt),
      remove: async ({ id }) => {
        await this.removeNetwork.remove(id);
        return 0;
      },
      // Forbidden once a container has joined it; a network of the swarm that a service uses is an invalid argument.
      tolerated: ['forbidden', 'not-found', 'invalid-argument'],
      signal,
    });
    return removed.map(({ name }) => name);
  }
}
