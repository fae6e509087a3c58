import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { type Filters, invalidFilter, textFilter } from '@gantry/core/http';
import { shownDriver } from './driver-names.js';
import { DriverOfNetwork } from './networks/driver-of-network.js';
import type { NetworkNode } from './service.js';
import { NetworkStore } from './store/network-store.js';
import type { NetworkRecord } from './store/records.js';
import { SwarmSources } from './store/swarm-sources.js';
import { toNetwork } from './wire.js';

/** Spec: GET /networks and GET /networks/(id). */
@injectable()
export class NetworkViews {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(SwarmSources) private readonly swarm: SwarmSources,
  ) {}

  list(filters: Filters): ReturnType<typeof toNetwork>[] {
    const matches = this.#matcher(filters);
    return [...this.store.networks()].filter(matches).map((network) => this.#toNetwork(network));
  }

  /** @param scope that it has to have, unless empty. Rejects `not-found`. */
  async inspect(reference: string, scope = ''): Promise<ReturnType<typeof toNetwork>> {
    const network = this.store.resolve(reference);
    if (scope !== '' && scope !== this.driverOf.scopeOf(network)) {
      throw notFound(`network ${reference} not found: its scope is not ${scope}`);
    }
    return toNetwork(this.store, network, this.driverOf.scopeOf(network), await this.#nodesOn(network));
  }

  /** None for a network that nothing on this node is on. */
  async #nodesOn({ id }: NetworkRecord): Promise<readonly NetworkNode[] | undefined> {
    const { node } = this.swarm;
    const isOnNode = this.store.ownNetwork(id) !== undefined && node?.stateOf(id) !== undefined;
    return isOnNode ? node?.nodesOn(id) : undefined;
  }

  #toNetwork(network: NetworkRecord): ReturnType<typeof toNetwork> {
    return toNetwork(this.store, network, this.driverOf.scopeOf(network));
  }

  #matcher(filters: Filters): (network: NetworkRecord) => boolean {
    for (const type of filters.get('type')) {
      if (type !== 'custom' && type !== 'builtin') throw invalidFilter('type', type);
    }
    const dangling = filters.boolean('dangling');
    const names = filters.get('name').map((pattern) => textFilter('name', pattern));
    const isDangling = ({ id, predefined }: NetworkRecord) => !predefined && this.store.endpointsOn(id).length === 0;
    return (network) =>
      filters.matches('driver', shownDriver(network.driver)) &&
      filters.matches('scope', this.driverOf.scopeOf(network)) &&
      filters.matches('type', network.predefined ? 'builtin' : 'custom') &&
      filters.some('id', (part) => network.id.includes(part)) &&
      (names.length === 0 || names.some((matches) => matches(network.name))) &&
      filters.matchesLabels(network.labels) &&
      (dangling === undefined || dangling === isDangling(network));
  }
}
