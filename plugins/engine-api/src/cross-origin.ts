import { forbidden } from '@gantry/core/errors';
import type { Context, Middleware } from '@gantry/core/http';

/** Which web pages may use the API. Spec: Authentication, 4. */
export interface CrossOrigin {
  /** Sends browsers the permission, and answers their preflight requests. Undefined when no page may. */
  readonly hook: Middleware | undefined;
  /**
   * Browsers send some requests without asking first, and only keep the answer from the page. At sockets that browsers
   * reach, pages that may not use the API are refused what would change something.
   * @throws EngineError `forbidden` naming the page's origin.
   */
  refuse(ctx: Context): void;
}

/** @param setting `*` for all pages, or their origins with commas between; empty for none. */
export function crossOrigin(setting: string): CrossOrigin {
  const origins = setting.split(',').map((origin) => origin.trim());
  const allowed = (origin: string): boolean => setting === '*' || (setting !== '' && origins.includes(origin));
  return {
    hook: setting === '' ? undefined : answer(setting, allowed),
    refuse({ method, req, state }) {
      const { origin } = req.headers;
      if (origin === undefined || allowed(origin)) return;
      if (['GET', 'HEAD', 'OPTIONS'].includes(method) && state.upgrade === undefined) return;
      throw forbidden(`pages of ${origin} may not use this engine; see apiCorsHeader`);
    },
  };
}

const answer =
  (setting: string, allowed: (origin: string) => boolean): Middleware =>
  async (ctx, next) => {
    const { origin } = ctx.req.headers;
    if (setting !== '*') ctx.res.setHeader('Vary', 'Origin');
    if (setting === '*' || (origin !== undefined && allowed(origin))) {
      ctx.res.setHeader('Access-Control-Allow-Origin', setting === '*' ? '*' : (origin ?? ''));
      ctx.res.setHeader(
        'Access-Control-Allow-Headers',
        'Origin, X-Requested-With, Content-Type, Accept, X-Registry-Auth',
      );
      ctx.res.setHeader('Access-Control-Allow-Methods', 'HEAD, GET, POST, DELETE, PUT, OPTIONS');
    }
    if (ctx.method === 'OPTIONS') ctx.status = 200;
    else await next();
  };
