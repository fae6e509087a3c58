import { TaskStartError } from '@gantry/core/contracts';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import { hijack, queryOf, type Router, readJson, readOptionalJson, sendJson } from '@gantry/core/http';
import { writeFrame } from '@gantry/core/streams';
import type { ExecService } from './exec-service.js';
import { connect } from './stream.js';
import { CreateBody, StartBody, toExecConfig, toInspect } from './wire.js';

/** Spec: Exec. */
export function execRoutes(router: Router, execs: ExecService): void {
  router.post('/containers/:id/exec', async (ctx) => {
    const config = toExecConfig(await readJson(ctx, CreateBody));
    sendJson(ctx, { Id: execs.create(ctx.params.id, config).id, Warnings: [] }, 201);
  });

  router.post('/exec/:id/start', async (ctx) => {
    const body = (await readOptionalJson(ctx, StartBody)) ?? {};
    const exec = execs.claim(ctx.params.id);
    if (body.Detach === true) {
      await execs.start(exec, { detached: true });
      ctx.status = 200;
      return;
    }
    const { socket } = await hijack(ctx, { contentType: 'application/vnd.engine.raw-stream' }).catch((error) => {
      execs.giveUp(exec);
      throw error;
    });
    // Clients read what they asked for here, whatever the instance was created with.
    const raw = body.Tty ?? exec.config.tty;
    try {
      const process = await execs.start(exec, { detached: false });
      if (await connect(exec, process, socket, { raw, signal: ctx.state.signal })) execs.detached(exec);
    } catch (error) {
      // The head has left with 200: what is wrong is told where the output would be.
      const words = Buffer.from(`${messageOf(error)}${error instanceof TaskStartError ? '\r\n' : '\n'}`);
      if (raw) socket.write(words);
      else writeFrame(socket, 'stdout', words);
    }
  });

  router.post('/exec/:id/resize', async (ctx) => {
    const query = queryOf(ctx);
    const height = query.integer('h', { min: 0, max: 65_535 });
    const width = query.integer('w', { min: 0, max: 65_535 });
    if (height === undefined || width === undefined) throw invalidArgument('resize needs h and w, in characters');
    await execs.resize(ctx.params.id, { height, width });
    ctx.res.setHeader('Content-Type', 'text/plain; charset=utf-8');
    ctx.status = 201;
  });

  router.get('/exec/:id/json', (ctx) => {
    sendJson(ctx, toInspect(execs.get(ctx.params.id)));
  });
}
