import type { Context } from '@gantry/core/http';
import type { Judge } from '../review/container-review.js';

/** Hooks that judge requests by their bodies judge the container as it would run. */
export const judgeOf =
  (ctx: Context): Judge =>
  (effective) =>
    ctx.state.review(effective);
