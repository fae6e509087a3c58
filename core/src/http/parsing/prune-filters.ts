import type { Filters } from './filters.js';
import type { Query } from './query.js';
import { parseTimestamp } from './timestamp.js';

const commonKeys = ['until', 'label', 'label!'];

/** The filters that all prunes have: `until`, `label` and `label!`. */
export class PruneFilters {
  readonly #until: bigint | undefined;

  private constructor(
    /** All filters, for those of one kind of object. */
    readonly all: Filters,
  ) {
    const times = all.get('until').map((text) => parseTimestamp('filters: until', text));
    // Objects have to be older than each of them.
    this.#until = [...times].sort((a, b) => Number(a - b))[0];
  }

  /**
   * @param keys of further filters; those of `except` are not among the common ones here.
   * @throws EngineError `invalid-argument`.
   */
  static of(query: Query, keys: readonly string[] = [], except: readonly string[] = []): PruneFilters {
    return new PruneFilters(query.filters([...commonKeys.filter((key) => !except.includes(key)), ...keys]));
  }

  /** @param createdAt RFC 3339. */
  matches(labels: Readonly<Record<string, string>> | undefined, createdAt: string): boolean {
    if (this.#until !== undefined && BigInt(Date.parse(createdAt)) * 1_000_000n >= this.#until) return false;
    const { all } = this;
    if (!all.matchesLabels(labels)) return false;
    return !all.has('label!') || !all.matchesLabels(labels, 'label!');
  }
}
