import type { Context } from '@gantry/core/http';

/** Browsers keep cookies by host and not by port: consoles of two engines on one host must not sign each other out. */
const nameFor = <P>(ctx: Context<P>): string => `gantry-console-${/:(\d+)$/.exec(ctx.get('Host'))?.[1] ?? 'default'}`;

/** The id of a session that the browser has been given. */
export function sessionIdOf<P>(ctx: Context<P>): string | undefined {
  return ctx.cookies.get(nameFor(ctx));
}

/** Gives the browser the id of its session; without an id it forgets the one it has. */
export function setSessionId<P>(ctx: Context<P>, id: string | undefined, expires: number): void {
  ctx.cookies.set(nameFor(ctx), id ?? null, {
    httpOnly: true,
    sameSite: 'strict',
    overwrite: true,
    ...(id !== undefined && { expires: new Date(expires) }),
  });
}
