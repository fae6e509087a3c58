import { readConsoleSize } from '@gantry/containers/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import {
  type Context,
  hijack,
  queryOf,
  type Router,
  readJson,
  readOptionalJson,
  sendJson,
  streamType,
} from '@gantry/core/http';
import { EngineApi, worksWithoutDisk } from '@gantry/engine-api/service';
import { CreateExec } from './create-exec.js';
import { ExecStore } from './exec-store.js';
import { operations } from './operations.js';
import { ResizeExec } from './resize-exec.js';
import { type OpenConnection, StartExec } from './start-exec.js';
import { CreateBody, StartBody, toExecConfig, toInspect } from './wire.js';

/** Spec: Exec. */
@injectable()
export class ExecRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ExecStore) private readonly store: ExecStore,
    @inject(CreateExec) private readonly createExec: CreateExec,
    @inject(StartExec) private readonly startExec: StartExec,
    @inject(ResizeExec) private readonly resizeExec: ResizeExec,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('exec', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.post('/containers/:id/exec', worksWithoutDisk, async (ctx) => {
      const config = toExecConfig(await readJson(ctx, CreateBody));
      sendJson(ctx, { Id: this.createExec.create(ctx.params.id, config).id, Warnings: [] }, 201);
    });

    router.post('/exec/:id/start', worksWithoutDisk, (ctx) => this.#start(ctx));

    router.post('/exec/:id/resize', worksWithoutDisk, async (ctx) => {
      const query = queryOf(ctx);
      const height = query.integer('h', { min: 0, max: 65_535 });
      const width = query.integer('w', { min: 0, max: 65_535 });
      if (height === undefined || width === undefined) throw invalidArgument('resize needs h and w, in characters');
      await this.resizeExec.resize(ctx.params.id, { height, width });
      ctx.res.setHeader('Content-Type', 'text/plain; charset=utf-8');
      ctx.status = 201;
    });

    router.get('/exec/:id/json', (ctx) => {
      sendJson(ctx, toInspect(this.store.get(ctx.params.id)));
    });
  }

  async #start(ctx: Context<{ readonly id: string }>): Promise<void> {
    const { Detach: detached = false, Tty: raw, ConsoleSize } = (await readOptionalJson(ctx, StartBody)) ?? {};
    const consoleSize = readConsoleSize(ConsoleSize);
    const distinctCodes = ctx.state.speaks('exec-start-codes');
    await this.startExec.start(ctx.params.id, detached ? undefined : hijacked(ctx, raw), {
      distinctCodes,
      consoleSize,
    });
    if (detached) ctx.status = 200;
  }
}

/** Clients read the format they request here, whatever the instance was created with. */
const hijacked =
  (ctx: Context, requested: boolean | undefined): OpenConnection =>
  async ({ isTerminal }) => {
    const raw = requested ?? isTerminal;
    const { socket } = await hijack(ctx, { contentType: streamType(ctx, { raw }) });
    return { socket, raw, signal: ctx.state.signal };
  };
