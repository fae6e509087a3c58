import type { ClusterRecord } from '@gantry/core/contracts';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, type Filters, queryOf, type Router, readJson, sendJson } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { SwarmMembership } from '../membership/swarm-membership.js';
import type { SealedObject } from '../records/sealed-kinds.js';
import { operations } from './operations.js';
import { SealedObjects } from './sealed-objects.js';
import { configType, type SealedType, secretType } from './sealed-type.js';
import { listFilters, parseContent, parseSealedSpec, SealedSpecBody, toSealedObject } from './sealed-wire.js';

/** Secrets and configs, as today's API has them. */
@injectable()
export class SealedRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(SealedObjects) private readonly objects: SealedObjects,
  ) {}

  start(): void {
    for (const type of [secretType, configType]) {
      this.lifetime.add(this.api.routes('cluster', (router) => this.declare(router, type), operations));
    }
  }

  declare(router: Router, type: SealedType): void {
    const { collection } = type;

    router.get(`/${collection}`, async (ctx) => {
      const filters = queryOf(ctx).filters(listFilters);
      const found = (await this.objects.list(type)).filter((record) => matches(filters, record));
      sendJson(
        ctx,
        found.map((record) => this.#shown(type, record)),
      );
    });

    router.post(`/${collection}/create`, async (ctx) => {
      await this.membership.manager();
      const body = await readJson(ctx, SealedSpecBody);
      const id = await this.objects.create(type, parseSealedSpec(type, body), parseContent(type, body.Data));
      sendJson(ctx, { ID: id }, 201);
    });

    router.get(`/${collection}/:id`, async (ctx) => {
      sendJson(ctx, this.#shown(type, await this.objects.get(type, ctx.params.id)));
    });

    router.delete(`/${collection}/:id`, async (ctx) => {
      await this.objects.remove(type, ctx.params.id);
      ctx.status = 204;
    });

    router.post(`/${collection}/:id/update`, (ctx) => this.#update(ctx, type));
  }

  async #update(ctx: Context<{ id: string }>, type: SealedType): Promise<void> {
    await this.membership.manager();
    const version = queryOf(ctx).version(type.noun);
    const body = await readJson(ctx, SealedSpecBody);
    const content = (body.Data ?? '') === '' ? undefined : parseContent(type, body.Data);
    await this.objects.update(type, ctx.params.id, { version, spec: parseSealedSpec(type, body), content });
    ctx.status = 200;
  }

  #shown(type: SealedType, record: ClusterRecord<SealedObject>) {
    return toSealedObject(record, type.isShown ? this.objects.content(record) : undefined);
  }
}

const matches = (filters: Filters, { id, value: { spec } }: ClusterRecord<SealedObject>): boolean =>
  filters.matchesId(id) &&
  filters.some('name', (part) => spec.Name.startsWith(part)) &&
  filters.matches('names', spec.Name) &&
  filters.matchesLabels(spec.Labels);
