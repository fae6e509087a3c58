import { type EngineError, invalidArgument, messageOf } from '../../errors/engine-error.js';

/** The error for an unknown filter, or for a value it cannot have. */
export const invalidFilter = (key: string, value?: string): EngineError =>
  invalidArgument(`Invalid filter '${value === undefined ? key : `${key}=${value}`}'`);

/** The `filters` of a list or an event stream: for each key the values, any of which may match. */
export class Filters {
  static readonly none = new Filters(new Map());

  readonly #values: ReadonlyMap<string, readonly string[]>;

  private constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /**
   * Reads `{"label":["a","b=c"]}`, and the older form `{"label":{"a":true}}`. An empty text is no filter.
   * @throws EngineError `invalid-argument` when it is neither, or names a key that is not allowed.
   */
  static parse(text: string | undefined, allowed: readonly string[]): Filters {
    if (text === undefined || text === '') return Filters.none;
    const values = new Map<string, readonly string[]>();
    for (const [key, given] of entriesOf(text)) {
      if (!allowed.includes(key)) throw invalidFilter(key);
      const list = valuesOf(given);
      if (list === undefined) throw malformed(text);
      if (list.length > 0) values.set(key, list);
    }
    return new Filters(values);
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  get keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** The values of a key; empty when it is not filtered by. */
  get(key: string): readonly string[] {
    return this.#values.get(key) ?? [];
  }

  /** True when the key is not filtered by, or one of its values satisfies the predicate. */
  some(key: string, predicate: (value: string) => boolean): boolean {
    const values = this.#values.get(key);
    return values === undefined || values.some(predicate);
  }

  /** True when the key is not filtered by, or the value is among its values. */
  matches(key: string, value: string): boolean {
    return this.some(key, (candidate) => candidate === value);
  }

  /** True when ids are not filtered by, or one of the values is the beginning of this one. */
  matchesId(id: string): boolean {
    return this.some('id', (beginning) => id.startsWith(beginning));
  }

  /** True when every `label` value, `key` or `key=value`, is among the labels. */
  matchesLabels(labels: Readonly<Record<string, string>> | undefined, key = 'label'): boolean {
    return this.get(key).every((wanted) => {
      const cut = wanted.indexOf('=');
      const name = cut < 0 ? wanted : wanted.slice(0, cut);
      if (labels === undefined || !Object.hasOwn(labels, name)) return false;
      return cut < 0 || labels[name] === wanted.slice(cut + 1);
    });
  }

  /**
   * The one truth value of a key, undefined when it is not filtered by.
   * @throws EngineError `invalid-argument` when it is none, or when there are two.
   */
  boolean(key: string): boolean | undefined {
    const truths = new Set(this.get(key).map((value) => truthOf(key, value)));
    if (truths.size > 1) throw invalidFilter(key, this.get(key).join(','));
    return [...truths][0];
  }

  /** Refuses values of a key that are not among the given. @throws EngineError `invalid-argument`. */
  oneOf(key: string, values: readonly string[]): readonly string[] {
    for (const value of this.get(key)) if (!values.includes(value)) throw invalidFilter(key, value);
    return this.get(key);
  }
}

function truthOf(key: string, value: string): boolean {
  if (['1', 'true', 'True'].includes(value)) return true;
  if (['0', 'false', 'False'].includes(value)) return false;
  throw invalidFilter(key, value);
}

const malformed = (text: string, cause?: unknown): EngineError =>
  invalidArgument(
    `filters: ${JSON.stringify(text)} is not a JSON map of lists of strings such as {"label":["a"]}` +
      (cause === undefined ? '' : `: ${messageOf(cause)}`),
    { cause },
  );

function entriesOf(text: string): [string, unknown][] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw malformed(text, cause);
  }
  if (parsed === null) return [];
  if (typeof parsed !== 'object' || Array.isArray(parsed)) throw malformed(text);
  return Object.entries(parsed);
}

function valuesOf(given: unknown): readonly string[] | undefined {
  if (given === null) return [];
  if (Array.isArray(given)) return given.every((value) => typeof value === 'string') ? given : undefined;
  if (typeof given !== 'object') return undefined;
  const entries = Object.entries(given);
  if (!entries.every(([, on]) => typeof on === 'boolean')) return undefined;
  return entries.map(([value]) => value);
}
