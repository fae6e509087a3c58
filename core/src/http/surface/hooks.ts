import compose from 'koa-compose';
import type { Context, Middleware } from '../exchange/context.js';

/**
 * Where a hook runs, from the client inwards. `audit` also sees what the listener refuses, as it is answered. `observe` sees everything, also what others refuse. `authorize` sees
 * the request as the client sent it and the answer as the client gets it. `forward` has another engine answer it, as the client sent it. `translate` changes one dialect into
 * another, both ways. `adapt` changes between the version that the client speaks and the newest, which handlers speak.
 */
export const stages = ['audit', 'observe', 'authorize', 'forward', 'translate', 'adapt'] as const;
export type Stage = (typeof stages)[number];

/** Middleware that joins and leaves a surface at run time. */
export class Hooks {
  readonly #hooks: Record<Stage, readonly Middleware[]> = {
    audit: [],
    observe: [],
    authorize: [],
    forward: [],
    translate: [],
    adapt: [],
  };
  readonly #composed: Partial<Record<Stage, compose.ComposedMiddleware<Context>>> = {};

  /** Adds a hook; within a stage, the first added is the outermost. @returns removes it. */
  add(stage: Stage, middleware: Middleware): () => void {
    // Wrapped: the same function may be added twice.
    const hook: Middleware = (ctx, next) => middleware(ctx, next);
    this.#replace(stage, [...this.#hooks[stage], hook]);
    return () =>
      this.#replace(
        stage,
        this.#hooks[stage].filter((other) => other !== hook),
      );
  }

  /** The place of a stage in an application's middleware. */
  stage(stage: Stage): Middleware {
    return (ctx, next) => this.#composed[stage]?.(ctx, next) ?? next();
  }

  #replace(stage: Stage, hooks: readonly Middleware[]): void {
    this.#hooks[stage] = hooks;
    if (hooks.length > 0) this.#composed[stage] = compose([...hooks]);
    else delete this.#composed[stage];
  }
}
