import { type Context, queryOf, type Router, sendJson, statuses } from '@gantry/core/http';
import { decodeRegistryAuth } from '@gantry/engine-api/service';
import type { ManagedPlugins } from './managed-plugins.js';
import { toPlugin } from './wire.js';

/** Spec: Plugins. */
export function pluginRoutes(router: Router, plugins: ManagedPlugins): void {
  router.get('/plugins', (ctx) => sendJson(ctx, plugins.list().map(toPlugin)));

  router.post('/plugins/pull', statuses.onlyServerError, async (ctx) => {
    const credentials = decodeRegistryAuth(ctx.get('X-Registry-Auth'));
    const target = {
      reference: queryOf(ctx).string('name') ?? '',
      ...(credentials !== undefined && { credentials }),
    };
    sendJson(ctx, await plugins.pull(target, ctx.state.signal));
  });

  router.get('/plugins/*name', (ctx) => sendJson(ctx, toPlugin(plugins.get(ctx.params.name))));

  router.post('/plugins/*name/enable', statuses.onlyNotFound, async (ctx) => {
    await plugins.enable(ctx.params.name);
    sendNothing(ctx);
  });

  router.post('/plugins/*name/disable', statuses.conflictIsServerError, async (ctx) => {
    await plugins.disable(ctx.params.name, queryOf(ctx).boolean('force'));
    sendNothing(ctx);
  });

  router.delete('/plugins/*name', statuses.conflictIsServerError, async (ctx) => {
    await plugins.remove(ctx.params.name, queryOf(ctx).boolean('force'));
    sendNothing(ctx);
  });
}

function sendNothing<P>(ctx: Context<P>): void {
  ctx.res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  ctx.status = 200;
}
