import { notImplemented } from '../../errors/engine-error.js';

/** One version of a driver, and the calls of it that are under way. */
class Incumbent {
  readonly #calls = new Map<string, number>();
  #onIdle: (() => void)[] = [];

  constructor(readonly instance: object) {}

  /** A call begins. @returns ends it. */
  enter(method: string): () => void {
    this.#calls.set(method, (this.#calls.get(method) ?? 0) + 1);
    return () => {
      const left = (this.#calls.get(method) ?? 0) - 1;
      if (left > 0) this.#calls.set(method, left);
      else this.#calls.delete(method);
      if (this.#calls.size > 0) return;
      for (const resolve of this.#onIdle.splice(0)) resolve();
    };
  }

  /** Such as `2 of mount, 1 of list`. */
  get underWay(): string {
    return [...this.#calls].map(([method, count]) => `${count} of ${method}`).join(', ');
  }

  /** Resolves when no call is under way. */
  idle(): Promise<void> {
    return this.#calls.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#onIdle.push(resolve));
  }
}

/**
 * Stands for a driver in its set, so that another version can take over behind it: users keep what they were given.
 * Calls go to the version that is current; while the handle is closed they wait.
 */
export class DriverHandle {
  /** What users of the driver get. */
  readonly driver: object;
  #current: Incumbent;
  readonly #methods = new Map<PropertyKey, unknown>();
  #closed: { readonly opened: Promise<void>; readonly open: (error?: Error) => void } | undefined;

  /** @param synchronous methods that never wait. */
  constructor(
    instance: object,
    private readonly synchronous: readonly string[] = [],
  ) {
    this.#current = new Incumbent(instance);
    // Of no instance: what is frozen in one must not keep another from answering.
    this.driver = new Proxy(
      {},
      {
        get: (_, name) => this.#property(name),
        has: (_, name) => Reflect.has(this.#current.instance, name),
        set: (_, name, value) => Reflect.set(this.#current.instance, name, value),
        getPrototypeOf: () => Reflect.getPrototypeOf(this.#current.instance),
      },
    );
  }

  /** The version that answers. */
  get current(): Pick<Incumbent, 'instance' | 'underWay' | 'idle'> {
    return this.#current;
  }

  /** Calls wait from now on. */
  close(): void {
    if (this.#closed !== undefined) return;
    let open: (error?: Error) => void = () => undefined;
    const opened = new Promise<void>((resolve, reject) => {
      open = (error) => (error === undefined ? resolve() : reject(error));
    });
    // Without a waiting call a rejection concerns no one.
    opened.catch(() => undefined);
    this.#closed = { opened, open };
  }

  /** Calls that waited go on; with an error, they reject. */
  open(error?: Error): void {
    this.#closed?.open(error);
    this.#closed = undefined;
  }

  /** Another version answers from now on. */
  exchange(instance: object): void {
    this.#current = new Incumbent(instance);
  }

  #property(name: PropertyKey): unknown {
    const { instance } = this.#current;
    const value = Reflect.get(instance, name, instance);
    if (typeof value !== 'function') return value;
    let method = this.#methods.get(name);
    if (method === undefined) {
      method = (...args: readonly unknown[]) => this.#call(name, args);
      this.#methods.set(name, method);
    }
    return method;
  }

  #call(name: PropertyKey, args: readonly unknown[]): unknown {
    if (this.#closed !== undefined && !this.synchronous.includes(String(name))) {
      return this.#closed.opened.then(() => this.#call(name, args));
    }
    const incumbent = this.#current;
    const method = Reflect.get(incumbent.instance, name);
    if (typeof method !== 'function') throw notImplemented(`this version of the driver has no ${String(name)}`);
    const leave = incumbent.enter(String(name));
    let result: unknown;
    try {
      result = Reflect.apply(method, incumbent.instance, args);
    } catch (error) {
      leave();
      throw error;
    }
    if (isPromise(result)) {
      result.then(leave, leave);
      return result;
    }
    leave();
    return isAsyncIterable(result) ? whileRead(result, () => incumbent.enter(String(name))) : result;
  }
}

/** Counts as a call from the first item to the end. */
async function* whileRead<T>(items: AsyncIterable<T>, enter: () => () => void): AsyncGenerator<T> {
  const leave = enter();
  try {
    yield* items;
  } finally {
    leave();
  }
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Partial<Promise<unknown>> | undefined | null)?.then === 'function';

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
