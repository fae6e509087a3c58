import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { notFound, unauthorized } from '@gantry/core/errors';
import { type Context, type Router, readJson, sendJson } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { ConsoleSurface } from '../surface.js';
import { Gate } from './gate.js';
import { sessionIdOf, setSessionId } from './session-cookie.js';
import { type Session, Sessions } from './sessions.js';

const signInBody = Type.Object({ token: Type.String() });

/** Signing in with a token, and out. */
@injectable()
export class SessionRoutes {
  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Gate) private readonly gate: Gate,
    @inject(Sessions) private readonly sessions: Sessions,
  ) {}

  start(): void {
    this.lifetime.add(this.surface.routes('console-session', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/session', (ctx) => {
      const session = this.gate.sessionOf(ctx);
      if (session === undefined) throw unauthorized('not signed in');
      send(ctx, session);
    });

    router.post('/session', async (ctx) => {
      const { token } = await readJson(ctx, signInBody);
      const signedIn = this.sessions.signIn(token.trim());
      if (signedIn === undefined) {
        throw unauthorized('this token is wrong, used or expired; "gantryd console" prints a new one');
      }
      setSessionId(ctx, signedIn.id, signedIn.session.expires);
      send(ctx, signedIn.session);
    });

    router.delete('/session', (ctx) => {
      const id = sessionIdOf(ctx);
      if (id === undefined) throw notFound('no one is signed in');
      this.sessions.signOut(id);
      setSessionId(ctx, undefined, 0);
      ctx.status = 204;
    });
  }
}

function send<P>(ctx: Context<P>, { user, expires }: Session): void {
  sendJson(ctx, { user, expires: Number.isFinite(expires) ? new Date(expires).toISOString() : null });
}
