import type { Router } from '@gantry/core/http';
import { sendJson } from '@gantry/core/http';
import type { SystemService } from './system-service.js';

/** Spec: System and other. */
export function systemRoutes(router: Router, system: SystemService): void {
  router.get('/_ping', (ctx) => {
    ctx.res.setHeader('Content-Type', 'text/plain; charset=utf-8');
    ctx.res.setHeader('Cache-Control', 'no-cache, no-store, must-revalidate');
    ctx.body = 'OK';
  });

  router.get('/version', (ctx) => {
    sendJson(ctx, system.version());
  });

  router.get('/info', async (ctx) => {
    sendJson(ctx, await system.info());
  });
}
