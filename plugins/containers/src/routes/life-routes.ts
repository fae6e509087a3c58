import { queryOf, type Router, readJson, type StatusExceptions, sendJson } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import type { Parts } from '../parts.js';
import { create } from '../verbs/create.js';
import { kill } from '../verbs/kill.js';
import { pause, unpause } from '../verbs/pause.js';
import { remove } from '../verbs/remove.js';
import { removeLink } from '../verbs/remove-link.js';
import { rename } from '../verbs/rename.js';
import { resize } from '../verbs/resize.js';
import { restart } from '../verbs/restart.js';
import { start } from '../verbs/start.js';
import { stop } from '../verbs/stop.js';
import { update } from '../verbs/update.js';
import { wait } from '../verbs/wait.js';

/** What the document knows of no other status for. */
const serverError = { unavailable: 500, 'not-implemented': 500 } as const satisfies StatusExceptions;
/** Where it lists 404 and 500 only. */
const onlyServerError = { ...serverError, conflict: 500, forbidden: 500 } as const satisfies StatusExceptions;

/** Spec: POST /containers/create to DELETE /containers/(id). */
export function lifeRoutes(router: Router, parts: Parts): void {
  const { configuration } = parts;

  router
    .post('/containers/create', async (ctx) => {
      const body = configuration.decodeCreate(await readJson(ctx, Type.Unknown()));
      const { id, warnings } = await create(parts, body, queryOf(ctx).string('name'));
      sendJson(ctx, { Id: id, Warnings: warnings }, 201);
    })
    .errors(serverError);

  router
    .post('/containers/:id/start', async (ctx) => {
      await start(parts, ctx.params.id);
      ctx.status = 204;
    })
    .errors({ ...onlyServerError, 'invalid-argument': 500 });

  router
    .post('/containers/:id/stop', async (ctx) => {
      await stop(parts, ctx.params.id, queryOf(ctx).integer('t'));
      ctx.status = 204;
    })
    .errors(serverError);

  router
    .post('/containers/:id/restart', async (ctx) => {
      await restart(parts, ctx.params.id, queryOf(ctx).integer('t'));
      ctx.status = 204;
    })
    .errors({ ...onlyServerError, 'invalid-argument': 500 });

  router
    .post('/containers/:id/kill', async (ctx) => {
      await kill(parts, ctx.params.id, queryOf(ctx).string('signal'));
      ctx.status = 204;
    })
    .errors(onlyServerError);

  router
    .post('/containers/:id/pause', async (ctx) => {
      await pause(parts, ctx.params.id);
      ctx.status = 204;
    })
    .errors(onlyServerError);

  router
    .post('/containers/:id/unpause', async (ctx) => {
      await unpause(parts, ctx.params.id);
      ctx.status = 204;
    })
    .errors(onlyServerError);

  router
    .post('/containers/:id/update', async (ctx) => {
      const body = configuration.decodeUpdate(await readJson(ctx, Type.Unknown()));
      sendJson(ctx, { Warnings: await update(parts, ctx.params.id, body) });
    })
    .errors(serverError);

  router.post('/containers/:id/rename', async (ctx) => {
    await rename(parts, ctx.params.id, queryOf(ctx).string('name') ?? '');
    ctx.status = 204;
  });

  router
    .post('/containers/:id/resize', async (ctx) => {
      const query = queryOf(ctx);
      const bounds = { min: 0, max: 65535 };
      await resize(parts, ctx.params.id, {
        height: query.integer('h', bounds) ?? 0,
        width: query.integer('w', bounds) ?? 0,
      });
      ctx.set('Content-Type', 'text/plain; charset=utf-8');
      ctx.status = 200;
    })
    .errors(onlyServerError);

  router.post('/containers/:id/wait', async (ctx) => {
    ctx.state.endless();
    sendJson(ctx, { StatusCode: await wait(parts, ctx.params.id, { signal: ctx.state.signal }) });
  });

  router
    .delete('/containers/*name', async (ctx) => {
      const query = queryOf(ctx);
      const { name } = ctx.params;
      if (query.boolean('link')) await removeLink(parts, name);
      else await remove(parts, name, { force: query.boolean('force'), volumes: query.boolean('v') });
      ctx.status = 204;
    })
    .errors(serverError);
}
