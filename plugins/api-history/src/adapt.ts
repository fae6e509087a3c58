import { type Context, type Middleware, queryOf } from '@gantry/core/http';
import type { History } from './history.js';
import type { Change } from './step.js';

/** Middleware that adapts requests and answers of clients that speak an older version. */
export function adapt(history: History): Middleware {
  return (ctx, next) => {
    const { route, version } = ctx.state;
    const steps = route === undefined ? undefined : history.of(route, version);
    if (steps === undefined) return next();
    const { answer, head, query } = steps;
    ctx.state.adaptation = steps;
    if (query !== undefined) query(queryOf(ctx));
    if (head !== undefined) ctx.state.onHead(head);
    return answer === undefined ? next() : next().then(() => adaptAnswer(ctx, answer));
  };
}

/** A string is JSON text that was prepared before. */
function adaptAnswer(ctx: Context, answer: Change): void {
  if (ctx.respond === false || ctx.status >= 400) return;
  const { state } = ctx;
  const body: unknown = state.answer ?? ctx.body;
  if (typeof body === 'string') state.answer = answer(JSON.parse(body));
  else if (typeof body === 'object' && body !== null && !Buffer.isBuffer(body)) state.answer = answer(body);
}
