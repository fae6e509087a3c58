import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Context, type Router, sendJson, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { ExportContainer } from '../export-container.js';
import { ListChanges } from '../list-changes.js';
import { operations } from './operations.js';

/** Spec: GET changes and GET export: the whole file system of a container. */
@injectable()
export class FileSystemRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ListChanges) private readonly listChanges: ListChanges,
    @inject(ExportContainer) private readonly exportContainer: ExportContainer,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('container-files', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/containers/:id/changes', statuses.stateIsServerError, (ctx) => this.#changes(ctx, ctx.params.id));
    router.get('/containers/:id/export', statuses.stateIsServerError, (ctx) => this.#export(ctx, ctx.params.id));
  }

  async #changes(ctx: Context, reference: string): Promise<void> {
    sendJson(ctx, await this.listChanges.list(reference, { signal: ctx.state.signal }));
  }

  async #export(ctx: Context, reference: string): Promise<void> {
    const tar = await this.exportContainer.export(reference, { signal: ctx.state.signal });
    ctx.type = 'application/octet-stream';
    ctx.body = tar;
  }
}
