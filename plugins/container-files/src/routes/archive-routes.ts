import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { bodyStream, type Context, queryOf, type Router, statuses } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { encodePathStat } from '../path-stat.js';
import { ReadArchive } from '../read-archive.js';
import { StatPath } from '../stat-path.js';
import { WriteArchive } from '../write-archive.js';
import { operations } from './operations.js';

const statHeader = 'X-Engine-Container-Path-Stat';

/** Spec: HEAD, GET and PUT archive: what is at one path of a container. */
@injectable()
export class ArchiveRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(StatPath) private readonly statPath: StatPath,
    @inject(ReadArchive) private readonly readArchive: ReadArchive,
    @inject(WriteArchive) private readonly writeArchive: WriteArchive,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('container-files', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.head('/containers/:id/archive', statuses.stateIsServerError, (ctx) => this.#stat(ctx, ctx.params.id));
    router.get('/containers/:id/archive', statuses.stateIsServerError, (ctx) => this.#read(ctx, ctx.params.id));
    router.put('/containers/:id/archive', statuses.stateIsServerError, (ctx) => this.#write(ctx, ctx.params.id));
  }

  async #stat(ctx: Context, reference: string): Promise<void> {
    const stat = await this.statPath.stat(reference, queryOf(ctx).string('path'), { signal: ctx.state.signal });
    ctx.set(statHeader, encodePathStat(stat));
    ctx.status = 200;
  }

  async #read(ctx: Context, reference: string): Promise<void> {
    const options = { signal: ctx.state.signal };
    const { stat, tar } = await this.readArchive.read(reference, queryOf(ctx).string('path'), options);
    ctx.set(statHeader, encodePathStat(stat));
    ctx.type = 'application/x-tar';
    ctx.body = tar;
  }

  async #write(ctx: Context, reference: string): Promise<void> {
    const query = queryOf(ctx);
    await this.writeArchive.write(reference, query.string('path'), {
      body: bodyStream(ctx),
      keepDirectories: query.boolean('noOverwriteDirNonDir'),
      ownedByUser: query.boolean('copyUIDGID'),
      signal: ctx.state.signal,
    });
    ctx.status = 200;
  }
}
