import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, type Filters, queryOf, type Router, readJson, sendJson, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { nodes } from '../records/node-kind.js';
import { findNode } from './find-node.js';
import { listFilters, type NodeRecord, NodeSpecBody, parseNodeSpec, toNode } from './node-wire.js';
import { operations } from './operations.js';
import { RemoveNode } from './remove-node.js';
import { UpdateNode } from './update-node.js';

/** Spec: Nodes. */
@injectable()
export class NodeRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(UpdateNode) private readonly updateNode: UpdateNode,
    @inject(RemoveNode) private readonly removeNode: RemoveNode,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('cluster', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/nodes', statuses.stateIsServerError, async (ctx) => {
      const { store } = await this.membership.manager();
      const matches = nodeFilter(queryOf(ctx).filters(listFilters));
      const found = store.list(nodes).filter(matches);
      sendJson(
        ctx,
        found.map((node) => toNode(node, store)),
      );
    });

    router.get('/nodes/:id', statuses.stateIsServerError, async (ctx) => {
      const { store } = await this.membership.manager();
      sendJson(ctx, toNode(findNode(store, ctx.params.id), store));
    });

    router.delete('/nodes/:id', statuses.stateIsServerError, async (ctx) => {
      await this.removeNode.remove(ctx.params.id, { force: queryOf(ctx).boolean('force') });
      ctx.status = 200;
    });

    router.post('/nodes/:id/update', statuses.stateIsServerError, (ctx) => this.#update(ctx));
  }

  async #update(ctx: Context<{ id: string }>): Promise<void> {
    await this.membership.manager();
    const version = queryOf(ctx).version('node');
    const body = await readJson(ctx, NodeSpecBody);
    await this.updateNode.update(ctx.params.id, version, parseNodeSpec(body));
    ctx.status = 200;
  }
}

/** @throws EngineError `invalid-argument` for a role or membership there is not. */
function nodeFilter(filters: Filters): (node: NodeRecord) => boolean {
  filters.oneOf('role', ['manager', 'worker']);
  filters.oneOf('membership', ['accepted', 'pending']);
  return ({ id, value: { spec, description } }) =>
    filters.matchesId(id) &&
    filters.some('name', (part) => (spec.Name ?? description.Hostname).includes(part)) &&
    filters.matches('role', spec.Role) &&
    filters.matches('membership', 'accepted') &&
    filters.matchesLabels(description.Engine.Labels) &&
    filters.matchesLabels(spec.Labels, 'node.label');
}
