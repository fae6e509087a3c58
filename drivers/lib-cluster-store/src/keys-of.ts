import type { RecordKind } from '@gantry/core/contracts';

/** What a record is found by, beside its id. */
interface RecordKeys {
  /** Each once. */
  readonly names: readonly string[];
  readonly indexed: readonly (readonly [index: string, key: string])[];
}

/** @throws what the kind's own functions throw: then the record cannot be found, and is as good as unreadable. */
export const keysOf = <T>(kind: RecordKind<T>, value: T): RecordKeys => ({
  names: [...new Set(kind.uniqueNames?.(value) ?? [])],
  indexed: Object.entries(kind.indexes ?? {}).flatMap(([index, { keysOf: keys }]) =>
    keys(value).map((key) => [index, key] as const),
  ),
});
