import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
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
      sendJson(ctx, { ID: await this.createService.create(spec, authOf(ctx)) }, 201);
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
    const version = query.integer('version');
    if (version === undefined) throw invalidArgument('version: invalid service version: it is required');
    const rollback = oneOf('rollback', query.string('rollback'), ['', 'previous']) === 'previous';
    const registryAuthFrom = oneOf('registryAuthFrom', query.string('registryAuthFrom'), ['spec', 'previous-spec']);
    await this.updateService.update(reference, {
      spec,
      version,
      rollback,
      registryAuth: authOf(ctx),
      registryAuthFrom,
    });
    if (ctx.state.speaks('update-warnings')) sendJson(ctx, { Warnings: null });
    else ctx.status = 200;
  }
}

const authOf = (ctx: Context): string | undefined => ctx.get('X-Registry-Auth') || undefined;

/** The first when it is not given. @throws EngineError `invalid-argument`. */
function oneOf<T extends string>(name: string, value: string | undefined, allowed: readonly [T, ...T[]]): T {
  if (value === undefined || value === '') return allowed[0];
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined)
    throw invalidArgument(`${name}: "${value}" is none of ${allowed.filter(Boolean).join(', ')}`);
  return found;
}
