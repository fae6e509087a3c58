import { notImplemented } from '../../errors/engine-error.js';

/** One version of a driver, and the calls of it that are under way. */
class Incumbent {
  readonly #calls = new Map<string, number>();
  #onIdle: (() => void)[] = [];

  constructor(readonly instance: object) {}

  /** A call, or a change of several, begins. @returns ends it. */
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

/** By it a driver that can be replaced has the function that begins a change. Global, as tokens are. */
const beginChange = Symbol.for('gantry.driver.begin-change');

interface ReplaceableDriver {
  readonly [beginChange]?: (what: string) => Promise<() => void>;
}

/**
 * Stands for a driver in its set, so that another version can take over behind it: users keep what they were given.
 * Calls go to the version that is current; while the handle is closed they wait, once the changes that had begun have ended.
 */
export class DriverHandle {
  /** What users of the driver get. */
  readonly driver: object;
  #current: Incumbent;
  readonly #methods = new Map<PropertyKey, unknown>();
  #closed: { readonly opened: Promise<void>; readonly open: () => void } | undefined;
  /** How many changes are under way: their calls must not wait, or the changes would not end. */
  #changes = 0;
  /** What calls reject with when there is no version any more. */
  #ended: Error | undefined;

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
        get: (_, name) => (name === beginChange ? this.#beginChange : this.#property(name)),
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

  /** Changes wait from now on, and calls as soon as no change is under way. */
  close(): void {
    if (this.#closed !== undefined) return;
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#closed = { opened, open };
  }

  /** What waited goes on. */
  open(): void {
    this.#closed?.open();
    this.#closed = undefined;
  }

  /** No version answers any more: calls reject, also those that waited. */
  end(error: Error): void {
    this.#ended = error;
    this.open();
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

  readonly #beginChange = async (what: string): Promise<() => void> => {
    while (this.#closed !== undefined) await this.#closed.opened;
    this.#changes += 1;
    const leave = this.#current.enter(what);
    return () => {
      this.#changes -= 1;
      leave();
    };
  };

  #call(name: PropertyKey, args: readonly unknown[]): unknown {
    const isSynchronous = this.synchronous.includes(String(name));
    if (this.#ended !== undefined) {
      if (isSynchronous) throw this.#ended;
      return Promise.reject(this.#ended);
    }
    if (this.#closed !== undefined && this.#changes === 0 && !isSynchronous) {
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

/**
 * Has a change count as one call of drivers: several calls of them, and the record of what they did. Another version of
 * one of them takes over before the change or after it, never between, so that what packages repeat on that version is what
 * the older one was left with; nor does a driver leave meanwhile. A change waits for a takeover that has begun. It must
 * not contain another change of the same driver, which would wait for a takeover that waits for the first.
 * @param what it does, for people: `connecting a container`.
 */
export async function asOneCall<T>(drivers: readonly object[], what: string, change: () => Promise<T> | T): Promise<T> {
  const ends: (() => void)[] = [];
  try {
    for (const driver of new Set<ReplaceableDriver>(drivers)) {
      const begin = driver[beginChange];
      if (begin !== undefined) ends.push(await begin(what));
    }
    return await change();
  } finally {
    for (const end of ends) end();
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
