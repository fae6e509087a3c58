import { queryOf, type Router, readJson, sendJson, statuses } from '@gantry/core/http';
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

/** Spec: POST /containers/create to DELETE /containers/(id). */
export function lifeRoutes(router: Router, parts: Parts): void {
  const { configuration } = parts;

  router.post('/containers/create', statuses.unavailableIsServerError, async (ctx) => {
    const body = configuration.decodeCreate(await readJson(ctx, Type.Unknown()));
    const { id, warnings } = await create(parts, body, queryOf(ctx).string('name'));
    sendJson(ctx, { Id: id, Warnings: warnings }, 201);
  });

  router.post('/containers/:id/start', statuses.onlyNotFound, async (ctx) => {
    await start(parts, ctx.params.id);
    ctx.status = 204;
  });

  router.post('/containers/:id/stop', statuses.unavailableIsServerError, async (ctx) => {
    await stop(parts, ctx.params.id, queryOf(ctx).integer('t'));
    ctx.status = 204;
  });

  router.post('/containers/:id/restart', statuses.onlyNotFound, async (ctx) => {
    await restart(parts, ctx.params.id, queryOf(ctx).integer('t'));
    ctx.status = 204;
  });

  router.post('/containers/:id/kill', statuses.refusalIsServerError, async (ctx) => {
    await kill(parts, ctx.params.id, queryOf(ctx).string('signal'));
    ctx.status = 204;
  });

  router.post('/containers/:id/pause', statuses.refusalIsServerError, async (ctx) => {
    await pause(parts, ctx.params.id);
    ctx.status = 204;
  });

  router.post('/containers/:id/unpause', statuses.refusalIsServerError, async (ctx) => {
    await unpause(parts, ctx.params.id);
    ctx.status = 204;
  });

  router.post('/containers/:id/update', statuses.unavailableIsServerError, async (ctx) => {
    const body = configuration.decodeUpdate(await readJson(ctx, Type.Unknown()));
    sendJson(ctx, { Warnings: await update(parts, ctx.params.id, body) });
  });

  router.post('/containers/:id/rename', async (ctx) => {
    await rename(parts, ctx.params.id, queryOf(ctx).string('name') ?? '');
    ctx.status = 204;
  });

  router.post('/containers/:id/resize', statuses.refusalIsServerError, async (ctx) => {
    const query = queryOf(ctx);
    const bounds = { min: 0, max: 65535 };
    await resize(parts, ctx.params.id, {
      height: query.integer('h', bounds) ?? 0,
      width: query.integer('w', bounds) ?? 0,
    });
    ctx.set('Content-Type', 'text/plain; charset=utf-8');
    ctx.status = 200;
  });

  router.post('/containers/:id/wait', async (ctx) => {
    ctx.state.endless();
    sendJson(ctx, { StatusCode: await wait(parts, ctx.params.id, { signal: ctx.state.signal }) });
  });

  router.delete('/containers/*name', statuses.unavailableIsServerError, async (ctx) => {
    const query = queryOf(ctx);
    const { name } = ctx.params;
    if (query.boolean('link')) await removeLink(parts, name);
    else await remove(parts, name, { force: query.boolean('force'), volumes: query.boolean('v') });
    ctx.status = 204;
  });
}
