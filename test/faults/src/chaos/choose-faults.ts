import type { Random } from '../soak/random.js';
import { faultGroups, lostQuorum } from './chaos-faults.js';

/** How often the groups are chosen, of their sum. */
const weights: Readonly<Record<string, number>> = {
  kill: 4,
  partition: 3,
  slow: 3,
  full: 2,
  quota: 1,
  [lostQuorum]: 1,
};

/** One or two faults by chance, of different groups, that the expression matches. */
export class ChooseFaults {
  /** Names of each group that were not chosen yet: each has its turn. */
  readonly #left = new Map<string, string[]>();
  readonly #groups: ReadonlyMap<string, readonly string[]>;

  constructor(
    private readonly random: Random,
    matching: RegExp,
  ) {
    const names = Object.entries(faultGroups).map(([group, faults]): [string, string[]] => [
      group,
      Object.keys(faults),
    ]);
    const matched = [...names, [lostQuorum, [lostQuorum]] as [string, string[]]].map(
      ([group, all]): [string, string[]] => [group, all.filter((name) => matching.test(name))],
    );
    this.#groups = new Map(matched.filter(([, all]) => all.length > 0));
    if (this.#groups.size === 0) throw new Error(`no fault matches ${matching}`);
  }

  next(): readonly string[] {
    const first = this.random.one(this.#lots([]));
    const others = this.#lots([first, lostQuorum]);
    if (first === lostQuorum || others.length === 0 || this.random.below(2) === 0) return [this.#ofGroup(first)];
    return [this.#ofGroup(first), this.#ofGroup(this.random.one(others))];
  }

  /** Each group as often as its weight. */
  #lots(without: readonly string[]): readonly string[] {
    return [...this.#groups.keys()]
      .filter((group) => !without.includes(group))
      .flatMap((group) => Array.from({ length: weights[group] ?? 1 }, () => group));
  }

  #ofGroup(group: string): string {
    const all = this.#groups.get(group) ?? [];
    const left = this.#left.get(group) ?? [];
    if (left.length === 0) left.push(...all);
    const [name = ''] = left.splice(this.random.below(left.length), 1);
    this.#left.set(group, left);
    return name;
  }
}
