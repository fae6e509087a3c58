import type { NetworkDriver } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import {
  type Filters,
  invalidFilter,
  queryOf,
  type Router,
  readJson,
  type StatusExceptions,
  sendJson,
  textFilter,
} from '@gantry/core/http';
import type { Networks } from './create-network.js';
import type { StoredNetworks } from './network-service.js';
import type { NetworkRecord } from './records.js';
import type { NetworkStore } from './store.js';
import { ConnectBody, CreateBody, DisconnectBody, toCreateRequest, toEndpointSettings, toNetwork } from './wire.js';

/** What the routes of this area call. */
export interface NetworkArea {
  readonly store: NetworkStore;
  readonly networks: Networks;
  readonly service: StoredNetworks;
  readonly drivers: DriverSet<NetworkDriver>;
}

const listFilters = ['driver', 'id', 'label', 'name', 'type', 'scope', 'dangling'] as const;

/** A pool or a subnet that is full is the server's own trouble, by the API's document. */
const serverError = { unavailable: 500 } as const satisfies StatusExceptions;

/** Spec: Networks. */
export function networkRoutes(router: Router, area: NetworkArea): void {
  const { drivers, networks, service, store } = area;
  const scopeOf = (network: NetworkRecord): string =>
    drivers.has(network.driver) ? drivers.get(network.driver).capabilities.scope : 'local';
  const shape = (network: NetworkRecord): object => toNetwork(store, network, scopeOf(network));

  router.get('/networks', (ctx) => {
    const wanted = matcher(queryOf(ctx).filters(listFilters), store, scopeOf);
    sendJson(ctx, [...store.networks()].filter(wanted).map(shape));
  });

  router.get('/networks/:id', (ctx) => {
    sendJson(ctx, shape(store.resolve(ctx.params.id)));
  });

  router
    .post('/networks/create', async (ctx) => {
      const request = toCreateRequest(await readJson(ctx, CreateBody), drivers.defaultId ?? 'bridge');
      const { id, warning } = await networks.create(request);
      sendJson(ctx, { Id: id, Warning: warning }, 201);
    })
    .errors(serverError);

  router
    .post('/networks/:id/connect', async (ctx) => {
      const body = await readJson(ctx, ConnectBody);
      const { id: networkId } = store.resolve(ctx.params.id);
      const { id } = service.containers.resolve(named(body.Container));
      await service.containers.attach(id, networkId, toEndpointSettings(body.EndpointConfig));
      ctx.status = 200;
    })
    .errors(serverError);

  router.post('/networks/:id/disconnect', async (ctx) => {
    const body = await readJson(ctx, DisconnectBody);
    const { id: networkId } = store.resolve(ctx.params.id);
    const { id } = service.containers.resolve(named(body.Container));
    await service.containers.detach(id, networkId, body.Force ?? false);
    ctx.status = 200;
  });

  router.delete('/networks/:id', async (ctx) => {
    await networks.remove(ctx.params.id);
    ctx.status = 204;
  });
}

function named(container: string | undefined): string {
  if (container === undefined || container === '')
    throw invalidArgument('Container: which container is meant is missing');
  return container;
}

function matcher(
  filters: Filters,
  store: NetworkStore,
  scopeOf: (network: NetworkRecord) => string,
): (network: NetworkRecord) => boolean {
  for (const type of filters.get('type'))
    if (type !== 'custom' && type !== 'builtin') throw invalidFilter('type', type);
  const dangling = filters.boolean('dangling');
  const names = filters.get('name').map((pattern) => textFilter('name', pattern));
  return (network) =>
    filters.matches('driver', network.driver) &&
    filters.matches('scope', scopeOf(network)) &&
    filters.matches('type', network.predefined ? 'builtin' : 'custom') &&
    filters.some('id', (part) => network.id.includes(part)) &&
    (names.length === 0 || names.some((matches) => matches(network.name))) &&
    filters.matchesLabels(network.labels) &&
    (dangling === undefined || dangling === (!network.predefined && store.endpointsOn(network.id).length === 0));
}
