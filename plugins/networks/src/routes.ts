import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import {
  adaptBody,
  type Context,
  PruneFilters,
  queryOf,
  type Router,
  readJson,
  sendJson,
  statuses,
} from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { NetworkViews } from './network-views.js';
import { CreateNetwork } from './networks/create-network.js';
import { PruneNetworks } from './networks/prune-networks.js';
import { RemoveNetwork } from './networks/remove-network.js';
import { operations } from './operations.js';
import { CreateBody, listFilters, toCreateRequest } from './wire.js';

/** Spec: Networks, but for connecting and disconnecting a container, which the containers area does. */
@injectable()
export class NetworkRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(NetworkViews) private readonly networks: NetworkViews,
    @inject(CreateNetwork) private readonly createNetwork: CreateNetwork,
    @inject(RemoveNetwork) private readonly removeNetwork: RemoveNetwork,
    @inject(PruneNetworks) private readonly pruneNetworks: PruneNetworks,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('networks', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/networks', (ctx) => this.#list(ctx));
    router.get('/networks/:id', async (ctx) => {
      const query = queryOf(ctx);
      refuseVerboseText(query.string('verbose'));
      sendJson(ctx, await this.networks.inspect(ctx.params.id, query.string('scope')));
    });
    router.post('/networks/create', statuses.unavailableIsServerError, (ctx) => this.#create(ctx));
    router.post('/networks/prune', async (ctx) => {
      const names = await this.pruneNetworks.prune(PruneFilters.of(queryOf(ctx)), ctx.state);
      sendJson(ctx, { NetworksDeleted: names.length > 0 ? names : null });
    });
    router.delete('/networks/:id', async (ctx) => {
      await this.removeNetwork.remove(ctx.params.id);
      ctx.status = 204;
    });
  }

  #list(ctx: Context): void {
    const shown = this.networks.list(queryOf(ctx).filters(listFilters));
    const isBrief = ctx.state.speaks('network-list-without-containers');
    sendJson(ctx, isBrief ? shown.map((network) => ({ ...network, Containers: {} })) : shown);
  }

  async #create(ctx: Context): Promise<void> {
    const body = adaptBody(ctx, await readJson(ctx, CreateBody));
    const checkDuplicate = body.CheckDuplicate === true || ctx.state.speaks('unique-network-names');
    const request = { ...toCreateRequest(body), checkDuplicate };
    const { id, warning } = await this.createNetwork.create(request);
    sendJson(ctx, { Id: id, Warning: warning }, 201);
  }
}

/** A network of one host has no services that a verbose answer could list. */
function refuseVerboseText(text: string | undefined): void {
  if (text === undefined || /^(?:|0|1|t|f|true|false)$/i.test(text)) return;
  throw invalidArgument(`invalid value for verbose: ${text}: is neither true nor false`);
}
