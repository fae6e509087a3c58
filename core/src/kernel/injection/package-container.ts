import 'reflect-metadata';
import { type DependencyContainer, container as globalContainer, type InjectionToken } from 'tsyringe';
import { DriverSkipped, EngineError, messageOf } from '../../errors/engine-error.js';
import type { DriverLifecycle } from '../hooks/driver-lifecycle.js';
import { joinHooks } from '../hooks/join-hooks.js';
import type { ServicePoint } from '../points/driver-point.js';
import type { Class, Token } from './tokens.js';

/**
 * The injection container of one package, as `create` and `setup` see it. Everything is made once for the package,
 * when it is first injected. Registered classes may depend on each other, on the tokens of the package's `requires`,
 * `after` and `joins`, and on `Config`, `Logger`, `Lifetime`, `PackageDirectories`, `IdMappings`, `EngineEvents`
 * and `StopSignal`.
 */
export interface PackageContainer {
  /** Registers classes under themselves. A class that is not registered here is not shared between its users. */
  register(...classes: readonly Class<unknown>[]): void;
  /** Registers a class under the token of what it implements. */
  registerClass<T>(token: Token<T>, implementation: Class<T>): void;
  /**
   * Registers classes under themselves, whose hooks the kernel calls before those of what `create` or `setup` returns:
   * in this order, and in the reverse order to stop.
   */
  registerHooks(...classes: readonly Class<DriverLifecycle>[]): void;
  /** Registers a value that exists already. */
  registerValue<T>(token: Token<T>, value: T): void;
  /** Registers a function that makes the value from what the tokens resolve to. */
  registerFactory<T, D extends readonly unknown[]>(
    token: Token<T>,
    dependencies: { readonly [K in keyof D]: Token<D[K]> },
    factory: (...dependencies: D) => T,
  ): void;
  /**
   * Registers what has to be awaited, such as a fact about the host. The kernel calls the factories when `create` or
   * `setup` has returned, in the order of their registration, and constructs classes after the last.
   */
  registerAsync<T, D extends readonly unknown[]>(
    token: Token<T>,
    dependencies: { readonly [K in keyof D]: Token<D[K]> },
    factory: (...dependencies: D) => Promise<T>,
  ): void;
}

/** A plugin's container, with a way to offer services to other packages. */
export interface PluginContainer extends PackageContainer {
  /** Offers what the token resolves to as a service the definition lists in `provides`, once `setup` has returned. */
  provide<T>(point: ServicePoint<T>, token: Token<T>): void;
}

/**
 * An empty container that inherits nothing. tsyringe exports only its global instance, on which any package of the
 * process may have registered something; its class makes one that does not see those.
 */
export function rootContainer(): DependencyContainer {
  const Container = globalContainer.constructor as new () => DependencyContainer;
  return new Container();
}

/** What a package's `create` or `setup` amounts to. */
export interface Constructed<T = object> {
  readonly instance: T;
  readonly hooks: DriverLifecycle;
}

/** The kernel's side of a package's container: resolving is the kernel's alone. */
export class OwnedContainer implements PluginContainer {
  readonly #container: DependencyContainer;
  readonly #provided: { readonly point: ServicePoint<unknown>; readonly token: Token }[] = [];
  readonly #hooks: Class<DriverLifecycle>[] = [];
  readonly #awaited: (() => Promise<void>)[] = [];
  /** What is being made, outermost first. */
  readonly #making: Token[] = [];
  /** The first error of a resolution, before tsyringe makes a message of it. */
  #cause: { readonly error: unknown } | undefined;

  constructor(root: DependencyContainer) {
    this.#container = root.createChildContainer();
  }

  register(...classes: readonly Class<unknown>[]): void {
    for (const each of classes) this.registerClass(each, each);
  }

  registerHooks(...classes: readonly Class<DriverLifecycle>[]): void {
    this.register(...classes);
    this.#hooks.push(...classes);
  }

  registerClass<T>(token: Token<T>, implementation: Class<T>): void {
    const instance = Symbol(implementation.name);
    this.#container.registerSingleton(instance, implementation as new (...args: unknown[]) => T);
    this.#registerOnce(token, (container) => container.resolve(instance));
  }

  registerValue<T>(token: Token<T>, value: T): void {
    this.#container.register(token as InjectionToken<T>, { useFactory: () => value });
  }

  registerFactory<T, D extends readonly unknown[]>(
    token: Token<T>,
    dependencies: { readonly [K in keyof D]: Token<D[K]> },
    factory: (...dependencies: D) => T,
  ): void {
    this.#registerOnce(token, (container) =>
      factory(...(dependencies.map((dependency) => container.resolve(dependency as InjectionToken)) as never)),
    );
  }

  registerAsync<T, D extends readonly unknown[]>(
    token: Token<T>,
    dependencies: { readonly [K in keyof D]: Token<D[K]> },
    factory: (...dependencies: D) => Promise<T>,
  ): void {
    this.#awaited.push(async () => {
      const resolved = dependencies.map((dependency) => this.resolve(dependency)) as never as D;
      this.registerValue(token, await factory(...resolved));
    });
  }

  #registerOnce<T>(token: Token<T>, make: (container: DependencyContainer) => T): void {
    let made: { readonly value: T } | undefined;
    this.#container.register(token as InjectionToken<T>, {
      useFactory: (container) => {
        made ??= { value: this.#make(token, () => make(container)) };
        return made.value;
      },
    });
  }

  #make<T>(token: Token<T>, make: () => T): T {
    try {
      if (this.#making.includes(token)) {
        const cycle = [...this.#making.slice(this.#making.indexOf(token)), token].map(nameOf);
        throw new EngineError('internal', `dependencies form a cycle: ${cycle.join(' -> ')}`);
      }
      this.#making.push(token);
      try {
        return make();
      } finally {
        this.#making.pop();
      }
    } catch (error) {
      this.#cause ??= { error };
      throw error;
    }
  }

  /** Called before a service is offered; throws to refuse it. */
  onProvide: (point: ServicePoint<unknown>) => void = () => undefined;

  /** Makes a service of what a token resolves to; resolved by `services()`. */
  provide<T>(point: ServicePoint<T>, token: Token<T>): void {
    this.onProvide(point);
    this.#provided.push({ point, token });
  }

  /** Awaits what `registerAsync` was given: before anything is constructed. */
  async prepare(): Promise<void> {
    for (const register of this.#awaited.splice(0)) await register();
  }

  /** What was provided, resolved. @throws EngineError `internal` naming what could not be injected. */
  services(): readonly { readonly point: ServicePoint<unknown>; readonly service: unknown }[] {
    return this.#provided.map(({ point, token }) => ({ point, service: this.resolve(token) }));
  }

  /** What `create` or `setup` returned, constructed if it is a class, and its hooks with those that were registered. */
  construct<T extends DriverLifecycle<never>>(created: T | Class<T>): Constructed<T> {
    const instance = typeof created === 'function' ? this.resolve(created) : created;
    const registered = this.#hooks.map((each) => this.resolve(each));
    const own = instance as unknown as DriverLifecycle;
    return { instance, hooks: registered.length === 0 ? own : joinHooks([...registered, own]) };
  }

  /**
   * Constructs with all dependencies.
   * @throws EngineError, DriverSkipped as a constructor or factory threw it; for anything else EngineError `internal`
   * naming what could not be injected, with what was thrown as its cause.
   */
  resolve<T>(token: Token<T>): T {
    if (typeof token === 'function' && !this.#container.isRegistered(token as InjectionToken<T>)) this.register(token);
    this.#cause = undefined;
    try {
      return this.#container.resolve(token as InjectionToken<T>);
    } catch (error) {
      const cause = (this.#cause as { readonly error: unknown } | undefined)?.error ?? error;
      if (EngineError.is(cause) || DriverSkipped.is(cause)) throw cause;
      throw new EngineError('internal', withAdvice(messageOf(error)), { cause });
    }
  }
}

const nameOf = (token: Token): string => (typeof token === 'function' ? token.name : (token.description ?? ''));

/** A point that is not declared is unknown to the package's container. */
function withAdvice(message: string): string {
  const kind = /unregistered dependency token: "Symbol\(gantry\.(driver|service)\./.exec(message)?.[1];
  if (kind === undefined) return message;
  const advice = `${message}: the package's definition lists it neither in "requires" nor in "after"`;
  return kind === 'driver' ? advice : `${advice}; a service that the package itself provides is injected by its class`;
}
