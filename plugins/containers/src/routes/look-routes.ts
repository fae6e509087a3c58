import { queryOf, type Router, sendJson } from '@gantry/core/http';
import type { ContainerArea } from '../areas/container-area.js';
import { inspect } from '../verbs/inspect.js';
import { list } from '../verbs/list.js';

/** Spec: GET /containers/json and GET /containers/(id)/json. */
export function lookRoutes(router: Router, area: ContainerArea): void {
  router.get('/containers/json', async (ctx) => {
    sendJson(ctx, await list(area, area.parts.wire.parseList(queryOf(ctx))));
  });

  router.get('/containers/:id/json', async (ctx) => {
    sendJson(ctx, await inspect(area, ctx.params.id, { size: queryOf(ctx).boolean('size') }));
  });
}
