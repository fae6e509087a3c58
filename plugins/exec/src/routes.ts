import { TaskStartError } from '@gantry/core/contracts';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument, messageOf } from '@gantry/core/errors';
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
import { writeFrame } from '@gantry/core/streams';
import { EngineApi, worksWithoutDisk } from '@gantry/engine-api/service';
import { connect } from './connect.js';
import { ExecService } from './exec-service.js';
import { CreateBody, StartBody, toExecConfig, toInspect } from './wire.js';

/** Spec: Exec. */
@injectable()
export class ExecRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ExecService) private readonly execs: ExecService,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('exec', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.post('/containers/:id/exec', worksWithoutDisk, async (ctx) => {
      const config = toExecConfig(await readJson(ctx, CreateBody));
      sendJson(ctx, { Id: this.execs.create(ctx.params.id, config).id, Warnings: [] }, 201);
    });

    router.post('/exec/:id/start', worksWithoutDisk, (ctx) => this.#start(ctx));

    router.post('/exec/:id/resize', worksWithoutDisk, async (ctx) => {
      const query = queryOf(ctx);
      const height = query.integer('h', { min: 0, max: 65_535 });
      const width = query.integer('w', { min: 0, max: 65_535 });
      if (height === undefined || width === undefined) throw invalidArgument('resize needs h and w, in characters');
      await this.execs.resize(ctx.params.id, { height, width });
      ctx.res.setHeader('Content-Type', 'text/plain; charset=utf-8');
      ctx.status = 201;
    });

    router.get('/exec/:id/json', (ctx) => {
      sendJson(ctx, toInspect(this.execs.get(ctx.params.id)));
    });
  }

  async #start(ctx: Context<{ readonly id: string }>): Promise<void> {
    const body = (await readOptionalJson(ctx, StartBody)) ?? {};
    const exec = this.execs.claim(ctx.params.id);
    if (body.Detach === true) {
      await this.execs.start(exec, { detached: true });
      ctx.status = 200;
      return;
    }
    // Clients read the format they request here, whatever the instance was created with.
    const raw = body.Tty ?? exec.config.tty;
    const { socket } = await hijack(ctx, { contentType: streamType(ctx, { raw }) }).catch((error) => {
      this.execs.release(exec);
      throw error;
    });
    try {
      const process = await this.execs.start(exec, { detached: false });
      if (await connect(exec, process, socket, { raw, signal: ctx.state.signal })) this.execs.detached(exec);
    } catch (error) {
      // The response has started with 200: the error goes where the output would be.
      const words = Buffer.from(`${messageOf(error)}${error instanceof TaskStartError ? '\r\n' : '\n'}`);
      if (raw) socket.write(words);
      else writeFrame(socket, 'stdout', words);
    }
  }
}
