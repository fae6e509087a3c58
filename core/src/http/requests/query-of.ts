import type { Context } from '../exchange/context.js';
import { Query } from '../parsing/query.js';

/** The query of a request: parsed once, and shared with the hooks in front. */
export function queryOf<P>(ctx: Context<P>): Query {
  ctx.state.query ??= new Query(ctx.querystring);
  return ctx.state.query;
}
