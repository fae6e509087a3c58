import { parse } from 'node:querystring';
import type { Static, TSchema } from '@sinclair/typebox';
import { invalidArgument, messageOf } from '../../errors/engine-error.js';
import { oneOf } from '../../values/one-of.js';
import { decode } from './decode.js';
import { Filters } from './filters.js';
import { parseTimestamp } from './timestamp.js';

/** Values that mean false, in any case. All others mean true: clients send 1, true, True, and also yes and on. */
const falsities = new Set(['', '0', 'no', 'false', 'none']);

export interface IntegerBounds {
  readonly min?: number;
  readonly max?: number;
}

/** The query parameters of a request. Of a parameter that is repeated, the first value counts; see `all`. */
export class Query {
  readonly #values: Map<string, readonly string[]>;

  constructor(text: string) {
    const parsed = text === '' ? {} : parse(text, '&', '=', { maxKeys: 0 });
    this.#values = new Map(
      Object.entries(parsed).map(([name, value = '']) => [name, Array.isArray(value) ? value : [value]]),
    );
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Undefined when the parameter is absent; may be empty. */
  string(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  /** All values of a parameter that may be repeated. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** `0`, `false`, `no`, `none` and the empty text mean false, anything else true; absent is the fallback. */
  boolean(name: string, fallback = false): boolean {
    const value = this.string(name);
    return value === undefined ? fallback : !falsities.has(value.trim().toLowerCase());
  }

  /**
   * A decimal integer; undefined when the parameter is absent or empty.
   * @throws EngineError `invalid-argument` naming the parameter and the value.
   */
  integer(name: string, { min, max }: IntegerBounds = {}): number | undefined {
    const text = this.string(name);
    if (text === undefined || text === '') return undefined;
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= (min ?? value) && value <= (max ?? value)) return value;
    const from = min === undefined ? '' : ` from ${min}`;
    const to = max === undefined ? '' : ` to ${max}`;
    throw invalidArgument(`${name}: "${text}" is not an integer${from}${to}`);
  }

  /** One of a few texts; undefined when the parameter is absent or empty. @throws EngineError `invalid-argument`. */
  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const text = this.string(name);
    return text === undefined || text === '' ? undefined : oneOf(name, text, allowed);
  }

  /**
   * The `version` of the record that an update was made from.
   * @param noun what is updated, for the message.
   * @throws EngineError `invalid-argument` when it is absent, or no version.
   */
  version(noun: string): number {
    const version = this.integer('version', { min: 0 });
    if (version === undefined) throw invalidArgument(`version: the version of the ${noun} to update is missing`);
    return version;
  }

  /**
   * A moment, in nanoseconds since 1970; undefined when the parameter is absent or empty. See `parseTimestamp`.
   * @throws EngineError `invalid-argument` naming the parameter and the value.
   */
  timestamp(name: string): bigint | undefined {
    const text = this.string(name);
    return text === undefined || text === '' ? undefined : parseTimestamp(name, text);
  }

  /** The `filters` parameter. @throws EngineError `invalid-argument` for a key that is not allowed; see `Filters`. */
  filters(allowed: readonly string[]): Filters {
    return Filters.parse(this.string('filters'), allowed);
  }

  /** A parameter that holds JSON; undefined when it is absent, empty or null. @throws EngineError `invalid-argument`. */
  json<S extends TSchema>(name: string, schema: S): Static<S> | undefined {
    const text = this.string(name);
    if (text === undefined || text === '') return undefined;
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch (cause) {
      throw invalidArgument(`${name}: ${JSON.stringify(text)} is not JSON: ${messageOf(cause)}`, { cause });
    }
    // Clients written in Go send null for a list or a map that is empty.
    if (parsed === null) return undefined;
    return decode(schema, parsed, name);
  }

  /** For hooks: sets the values of a parameter, or removes it. */
  set(name: string, values: readonly string[]): void {
    if (values.length === 0) this.#values.delete(name);
    else this.#values.set(name, values);
  }

  /** For hooks: moves the values of one parameter to another, unless that is there already. */
  rename(from: string, to: string): void {
    const values = this.#values.get(from);
    if (values === undefined) return;
    this.#values.delete(from);
    if (!this.#values.has(to)) this.#values.set(to, values);
  }
}
