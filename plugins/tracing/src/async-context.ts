import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

/** Hands the active span on through promises and callbacks, where the program has registered nothing that does. */
export class AsyncContext implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    run: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(context, () => Reflect.apply(run, self, args) as ReturnType<F>);
  }

  bind<T>(context: Context, target: T): T {
    if (typeof target !== 'function') return target;
    const call = target as unknown as (...args: unknown[]) => unknown;
    return ((...args: unknown[]) => this.#storage.run(context, () => call(...args))) as T;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}
