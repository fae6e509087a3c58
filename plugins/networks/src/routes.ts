import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Lifetime } from '@gantry/core/driver';
import {
  type Context,
  type Filters,
  invalidFilter,
  queryOf,
  type Router,
  readJson,
  sendJson,
  statuses,
  textFilter,
} from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { CreateNetwork } from './networks/create-network.js';
import { DriverOfNetwork } from './networks/driver-of-network.js';
import { RemoveNetwork } from './networks/remove-network.js';
import { NetworkStore } from './store/network-store.js';
import type { NetworkRecord } from './store/records.js';
import { CreateBody, toCreateRequest, toNetwork } from './wire.js';

const listFilters = ['driver', 'id', 'label', 'name', 'type', 'scope', 'dangling'] as const;

/** Spec: Networks, but for connecting and disconnecting a container, which the containers area does. */
@injectable()
export class NetworkRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(CreateNetwork) private readonly createNetwork: CreateNetwork,
    @inject(RemoveNetwork) private readonly removeNetwork: RemoveNetwork,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('networks', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/networks', (ctx) => this.#list(ctx));
    router.get('/networks/:id', (ctx) => sendJson(ctx, this.#toNetwork(this.store.resolve(ctx.params.id))));
    router.post('/networks/create', statuses.unavailableIsServerError, (ctx) => this.#create(ctx));
    router.delete('/networks/:id', async (ctx) => {
      await this.removeNetwork.remove(ctx.params.id);
      ctx.status = 204;
    });
  }

  #list(ctx: Context): void {
    const matches = this.#matcher(queryOf(ctx).filters(listFilters));
    sendJson(
      ctx,
      [...this.store.networks()].filter(matches).map((network) => this.#toNetwork(network)),
    );
  }

  async #create(ctx: Context): Promise<void> {
    const request = toCreateRequest(await readJson(ctx, CreateBody), this.drivers.defaultId ?? 'bridge');
    const { id, warning } = await this.createNetwork.create(request);
    sendJson(ctx, { Id: id, Warning: warning }, 201);
  }

  #toNetwork(network: NetworkRecord) {
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
      filters.matches('driver', network.driver) &&
      filters.matches('scope', this.driverOf.scopeOf(network)) &&
      filters.matches('type', network.predefined ? 'builtin' : 'custom') &&
      filters.some('id', (part) => network.id.includes(part)) &&
      (names.length === 0 || names.some((matches) => matches(network.name))) &&
      filters.matchesLabels(network.labels) &&
      (dangling === undefined || dangling === isDangling(network));
  }
}
