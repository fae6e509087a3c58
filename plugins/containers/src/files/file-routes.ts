import { bodyStream, queryOf, type Router, type StatusExceptions, sendJson } from '@gantry/core/http';
import type { Parts } from '../parts.js';
import { changes } from './changes.js';
import { exportRoot } from './export-root.js';
import { getArchive } from './get-archive.js';
import { encodePathStat } from './path-stat.js';
import { putArchive } from './put-archive.js';
import { statPath } from './stat-path.js';

const statHeader = 'X-Engine-Container-Path-Stat';
const serverError = { unavailable: 500, conflict: 500, 'not-implemented': 500 } as const satisfies StatusExceptions;

/** Spec: HEAD, GET and PUT archive, GET changes, GET export. */
export function fileRoutes(router: Router, parts: Parts): void {
  router
    .head('/containers/:id/archive', async (ctx) => {
      const { signal } = ctx.state;
      const stat = await statPath(parts, ctx.params.id, queryOf(ctx).string('path'), { signal });
      ctx.set(statHeader, encodePathStat(stat));
      ctx.status = 200;
    })
    .errors(serverError);

  router
    .get('/containers/:id/archive', async (ctx) => {
      const { signal } = ctx.state;
      const { stat, tar } = await getArchive(parts, ctx.params.id, queryOf(ctx).string('path'), { signal });
      ctx.set(statHeader, encodePathStat(stat));
      ctx.type = 'application/x-tar';
      ctx.body = tar;
    })
    .errors(serverError);

  router
    .put('/containers/:id/archive', async (ctx) => {
      const query = queryOf(ctx);
      await putArchive(parts, ctx.params.id, query.string('path'), {
        body: bodyStream(ctx),
        keepDirectories: query.boolean('noOverwriteDirNonDir'),
        ownedByUser: query.boolean('copyUIDGID'),
        signal: ctx.state.signal,
      });
      ctx.status = 200;
    })
    .errors(serverError);

  router
    .get('/containers/:id/changes', async (ctx) => {
      sendJson(ctx, await changes(parts, ctx.params.id, { signal: ctx.state.signal }));
    })
    .errors(serverError);

  router
    .get('/containers/:id/export', async (ctx) => {
      const tar = await exportRoot(parts, ctx.params.id, { signal: ctx.state.signal });
      ctx.type = 'application/octet-stream';
      ctx.body = tar;
    })
    .errors(serverError);
}
