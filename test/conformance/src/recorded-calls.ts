import { inspect } from 'node:util';
import { kindOf, messageOf } from '@gantry/core/errors';

interface RecordedCall {
  readonly method: string;
  readonly args: readonly unknown[];
  outcome: string;
}

const unsettled = 'has not settled';

/** How many of the last calls are kept. */
const kept = 12;

/** The calls that a check makes of a driver, and what became of each: what a failure is explained with. */
export class RecordedCalls {
  readonly #calls: RecordedCall[] = [];

  /** The method that was called last. */
  get last(): string | undefined {
    return this.#calls.at(-1)?.method;
  }

  /** The method of the last call that has not settled. */
  get pending(): string | undefined {
    return this.#calls.findLast(({ outcome }) => outcome === unsettled)?.method;
  }

  /** The last calls, oldest first. */
  lines(): readonly string[] {
    return this.#calls.map(({ method, args, outcome }) => `${method}(${args.map(textOf).join(', ')}) ${outcome}`);
  }

  /** The driver, with its calls recorded. */
  record<T>(driver: T): T {
    if (typeof driver !== 'object' || driver === null) return driver;
    const methods = new Map<PropertyKey, unknown>();
    // Of no driver: nothing that is frozen in one keeps its methods from being wrapped.
    return new Proxy(
      {},
      {
        get: (_, name) => {
          const value = Reflect.get(driver, name, driver);
          if (typeof value !== 'function' || typeof name !== 'string') return value;
          let method = methods.get(name);
          if (method === undefined) {
            method = (...args: readonly unknown[]) => this.#call(name, args, () => Reflect.apply(value, driver, args));
            methods.set(name, method);
          }
          return method;
        },
        has: (_, name) => Reflect.has(driver, name),
        set: (_, name, value) => {
          methods.delete(name);
          return Reflect.set(driver, name, value);
        },
        getPrototypeOf: () => Reflect.getPrototypeOf(driver),
      },
    ) as T;
  }

  #call(method: string, args: readonly unknown[], run: () => unknown): unknown {
    const call: RecordedCall = { method, args, outcome: unsettled };
    this.#calls.push(call);
    if (this.#calls.length > kept) this.#calls.shift();
    try {
      const result = run();
      if (result instanceof Promise) {
        result.then(
          (value: unknown) => {
            call.outcome = value === undefined ? 'resolved' : `resolved to ${textOf(value)}`;
          },
          (error: unknown) => {
            call.outcome = `rejected ${refusalOf(error)}`;
          },
        );
      } else {
        call.outcome = result === undefined ? 'returned' : `returned ${textOf(result)}`;
      }
      return result;
    } catch (error) {
      call.outcome = `threw ${refusalOf(error)}`;
      throw error;
    }
  }
}

const refusalOf = (error: unknown): string => `${kindOf(error)}: ${messageOf(error)}`;

const textOf = (value: unknown): string =>
  inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 80, maxArrayLength: 5 });
