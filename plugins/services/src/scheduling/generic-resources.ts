import type { GenericResource } from '@gantry/cluster/service';
import type { TaskSpec } from '../spec/service-spec.js';

/** How many of each kind the tasks of a specification reserve. */
export function reservedKinds({ Resources: resources }: TaskSpec): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>();
  for (const { DiscreteResourceSpec: spec } of resources?.Reservations?.GenericResources ?? []) {
    const { Kind: kind = '', Value: value = 0 } = spec ?? {};
    kinds.set(kind, (kinds.get(kind) ?? 0) + value);
  }
  return kinds;
}

/** What is left of the generic resources of a node. */
export class FreeResources {
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, Set<string>>();

  constructor(offered: readonly GenericResource[]) {
    for (const resource of offered) {
      if ('DiscreteResourceSpec' in resource) {
        const { Kind: kind, Value: value } = resource.DiscreteResourceSpec;
        this.#counts.set(kind, value);
      } else {
        const { Kind: kind, Value: value } = resource.NamedResourceSpec;
        this.#names.set(kind, (this.#names.get(kind) ?? new Set()).add(value));
      }
    }
  }

  hasRoom(wanted: ReadonlyMap<string, number>): boolean {
    return [...wanted].every(
      ([kind, count]) => this.#isOffered(kind) && count <= (this.#counts.get(kind) ?? this.#names.get(kind)?.size ?? 0),
    );
  }

  /** What a task gets that has room: of a set, the first names that are free. */
  select(wanted: ReadonlyMap<string, number>): readonly GenericResource[] {
    return [...wanted].flatMap(([kind, count]): readonly GenericResource[] => {
      if (this.#counts.has(kind)) return [{ DiscreteResourceSpec: { Kind: kind, Value: count } }];
      const names = [...(this.#names.get(kind) ?? [])].slice(0, count);
      return names.map((name) => ({ NamedResourceSpec: { Kind: kind, Value: name } }));
    });
  }

  /** Whether a task that was given these can keep them. */
  has(given: readonly GenericResource[]): boolean {
    return given.every((resource) =>
      'DiscreteResourceSpec' in resource
        ? (this.#counts.get(resource.DiscreteResourceSpec.Kind) ?? -1) >= resource.DiscreteResourceSpec.Value
        : this.#names.get(resource.NamedResourceSpec.Kind)?.has(resource.NamedResourceSpec.Value) === true,
    );
  }

  /** What the node no longer offers is ignored. */
  take(given: readonly GenericResource[]): void {
    for (const resource of given) {
      if ('DiscreteResourceSpec' in resource) {
        const { Kind: kind, Value: value } = resource.DiscreteResourceSpec;
        const count = this.#counts.get(kind);
        if (count !== undefined) this.#counts.set(kind, count - value);
      } else {
        this.#names.get(resource.NamedResourceSpec.Kind)?.delete(resource.NamedResourceSpec.Value);
      }
    }
  }

  #isOffered(kind: string): boolean {
    return this.#counts.has(kind) || this.#names.has(kind);
  }
}
