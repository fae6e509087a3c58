import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import {
  type Context,
  type Filters,
  PruneFilters,
  queryOf,
  type Router,
  readOptionalJson,
  sendJson,
  statuses,
  textFilter,
} from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { operations } from './operations.js';
import { PruneVolumes } from './prune-volumes.js';
import type { Volume } from './service.js';
import { VolumesService } from './volumes-service.js';
import { CreateBody, listFilters, toVolume, toVolumeRequest } from './wire.js';

/** Spec: Volumes. */
@injectable()
export class VolumeRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(VolumesService) private readonly volumes: VolumesService,
    @inject(PruneVolumes) private readonly pruneVolumes: PruneVolumes,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('volumes', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/volumes', (ctx) => this.#list(ctx));

    router.post('/volumes/create', statuses.unavailableIsServerError, async (ctx) => {
      const body = (await readOptionalJson(ctx, CreateBody)) ?? {};
      sendJson(ctx, toVolume(await this.volumes.ensure(toVolumeRequest(body))), 201);
    });

    router.get('/volumes/*name', async (ctx) => {
      sendJson(ctx, toVolume(await this.volumes.get(ctx.params.name)));
    });

    router.post('/volumes/prune', async (ctx) => {
      const filters = PruneFilters.of(queryOf(ctx), ['all'], ['until']);
      const { names, reclaimed } = await this.pruneVolumes.prune(filters, ctx.state);
      sendJson(ctx, { VolumesDeleted: names, SpaceReclaimed: reclaimed });
    });

    // API 1.42. The reference engine answers so, too, for every volume of a host.
    router.put('/volumes/*name', () => {
      throw unavailable('volume update only valid for cluster volumes, which this engine does not have');
    });

    router.delete('/volumes/*name', async (ctx) => {
      await this.volumes.remove(ctx.params.name, { force: queryOf(ctx).boolean('force') });
      ctx.status = 204;
    });
  }

  async #list(ctx: Context): Promise<void> {
    const matches = this.#matcher(queryOf(ctx).filters(listFilters));
    const { volumes, warnings } = await this.volumes.list();
    sendJson(ctx, { Volumes: volumes.filter(matches).map(toVolume), Warnings: warnings.length > 0 ? warnings : null });
  }

  #matcher(filters: Filters): (volume: Volume) => boolean {
    const dangling = filters.boolean('dangling');
    const names = filters.get('name').map((pattern) => textFilter('name', pattern));
    return ({ driver, labels, name }) =>
      (names.length === 0 || names.some((matches) => matches(name))) &&
      filters.some('driver', (part) => driver.includes(part)) &&
      filters.matchesLabels(labels) &&
      (dangling === undefined || dangling === (this.volumes.usersOf(name).length === 0));
  }
}
