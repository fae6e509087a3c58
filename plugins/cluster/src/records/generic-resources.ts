import { invalidArgument } from '@gantry/core/errors';

/** A resource that the engine only counts or names: one of a set by its name, or so many of a kind. */
export type GenericResource =
  | { readonly NamedResourceSpec: { readonly Kind: string; readonly Value: string } }
  | { readonly DiscreteResourceSpec: { readonly Kind: string; readonly Value: number } };

/** What this engine offers to tasks beside processors and memory. */
export class GenericResources {
  constructor(readonly offered: readonly GenericResource[]) {}
}

const isNumber = (value: string): boolean => /^[+-]?\d+$/.test(value);

/**
 * Parses `KIND=VALUE` entries: one number is a count, everything else is a name, and names of one kind are a set.
 * @throws EngineError `invalid-argument` naming the entry.
 */
export function parseGenericResources(entries: readonly string[]): readonly GenericResource[] {
  const values = new Map<string, string[]>();
  for (const entry of entries) {
    const [kind = '', value = '', ...others] = entry.split('=').map((part) => part.trim());
    if (kind === '' || value === '' || others.length > 0) {
      throw invalidArgument(`genericResources: "${entry}" is not KIND=VALUE, such as "GPU=GPU-1" or "SSD=2"`);
    }
    values.set(kind, [...(values.get(kind) ?? []), value]);
  }
  return [...values].flatMap(([kind, all]) => resourcesOf(kind, all));
}

function resourcesOf(kind: string, values: readonly string[]): readonly GenericResource[] {
  const [first = ''] = values;
  if (values.length === 1 && isNumber(first)) {
    const count = Number(first);
    if (!Number.isSafeInteger(count) || count < 0) {
      throw invalidArgument(`genericResources: "${kind}=${first}" is not a count from 0 to ${Number.MAX_SAFE_INTEGER}`);
    }
    return [{ DiscreteResourceSpec: { Kind: kind, Value: count } }];
  }
  const number = values.find(isNumber);
  if (number !== undefined) {
    throw invalidArgument(`genericResources: "${kind}=${number}": ${kind} has a count beside names or other counts`);
  }
  return [...new Set(values)].map((value) => ({ NamedResourceSpec: { Kind: kind, Value: value } }));
}
