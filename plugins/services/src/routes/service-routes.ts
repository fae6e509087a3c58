import { inject, injectable } from '@gantry/core/driver';
import { type Context, queryOf, type Router, readJson, sendJson, statuses } from '@gantry/core/http';
import { CreateService } from '../commands/create-service.js';
import { RemoveService } from '../commands/remove-service.js';
import { UpdateService } from '../commands/update-service.js';
import { ServiceSpecSchema } from '../spec/service-spec.js';
import { InspectService } from './inspect-service.js';
import { ListServices, serviceFilters } from './list-services.js';

/** Spec: Services. */
@injectable()
export class ServiceRoutes {
  constructor(
    @inject(ListServices) private readonly listServices: ListServices,
    @inject(InspectService) private readonly inspectService: InspectService,
    @inject(CreateService) private readonly createService: CreateService,
    @inject(UpdateService) private readonly updateService: UpdateService,
    @inject(RemoveService) private readonly removeService: RemoveService,
  ) {}

  declare(router: Router): void {
    router.get('/services', async (ctx) => {
      const query = queryOf(ctx);
      sendJson(ctx, await this.listServices.list(query.filters(serviceFilters), query.boolean('status')));
    });
    router.post('/services/create', statuses.unavailableIsServerError, async (ctx) => {
      const spec = await readJson(ctx, ServiceSpecSchema);
      const request = { spec, registryAuth: authOf(ctx), pinsImage: !ctx.state.speaks('image-digests') };
      const { id, warnings } = await this.createService.create(request);
      sendJson(ctx, { ID: id, ...(warnings.length > 0 && { Warnings: warnings }) }, 201);
    });
    router.get('/services/:id', async (ctx) => {
      sendJson(
        ctx,
        await this.inspectService.inspect(ctx.params.id, { withDefaults: queryOf(ctx).boolean('insertDefaults') }),
      );
    });
    router.delete('/services/:id', async (ctx) => {
      await this.removeService.remove(ctx.params.id);
      ctx.status = 200;
    });
    router.post('/services/:id/update', statuses.stateIsServerError, (ctx) => this.#update(ctx, ctx.params.id));
  }

  async #update(ctx: Context, reference: string): Promise<void> {
    const spec = await readJson(ctx, ServiceSpecSchema);
    const query = queryOf(ctx);
    const version = query.version('service');
    const rollback = query.oneOf('rollback', ['previous']) !== undefined;
    const registryAuthFrom = query.oneOf('registryAuthFrom', ['spec', 'previous-spec']) ?? 'spec';
    const warnings = await this.updateService.update(reference, {
      spec,
      version,
      rollback,
      registryAuth: authOf(ctx),
      registryAuthFrom,
      pinsImage: !ctx.state.speaks('image-digests'),
    });
    if (ctx.state.speaks('update-warnings')) sendJson(ctx, { Warnings: warnings.length > 0 ? warnings : null });
    else ctx.status = 200;
  }
}

const authOf = (ctx: Context): string | undefined => ctx.get('X-Registry-Auth') || undefined;
