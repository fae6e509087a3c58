import { type ClusterChange, type ClusterRecord, type RecordKind, TransactionConflict } from '@gantry/core/contracts';
import { internal, invalidArgument } from '@gantry/core/errors';
import { encodeRecord } from './envelope.js';
import { keysOf } from './keys-of.js';
import type { Mirror } from './mirror.js';

/** A change as a driver writes it: what it compares, what it stores, and the unique names it takes and releases. */
export interface PlannedChange {
  readonly kind: string;
  readonly id: string;
  /** The revision that the record must have; 0 for one that must not exist. */
  readonly expected: number;
  readonly write:
    | { readonly type: 'put'; readonly encoded: string }
    | { readonly type: 'delete' }
    | { readonly type: 'none' };
  readonly takenNames: readonly string[];
  readonly releasedNames: readonly string[];
}

/**
 * Checks the changes of a transaction against the mirror, and encodes them. What fails here would fail in the store; the
 * store compares all the same, because another member may be ahead of the mirror.
 * @throws TransactionConflict, or EngineError `invalid-argument`.
 */
export function planTransaction(
  changes: readonly ClusterChange[],
  { mirror, now, maxChanges }: { readonly mirror: Mirror; readonly now: string; readonly maxChanges: number },
): readonly PlannedChange[] {
  if (changes.length > maxChanges) {
    throw invalidArgument(`a transaction of ${changes.length} changes: at most ${maxChanges} are possible`);
  }
  const seen = new Set<string>();
  for (const { kind, id } of changes) {
    const key = `${kind.name}/${id}`;
    if (seen.has(key)) throw invalidArgument(`a transaction with two changes of ${key}`);
    if (id === '' || /[/\0]|\p{Surrogate}/u.test(id)) throw invalidArgument(`"${id}" is not an id`);
    seen.add(key);
  }
  const planned = changes.map((change) => planChange(change, mirror, now));
  checkNames(changes, planned, mirror);
  return planned;
}

function planChange(change: ClusterChange, mirror: Mirror, now: string): PlannedChange {
  const { kind, id } = change;
  const before = mirror.get(kind, id);
  const place = { kind: kind.name, id };
  if (change.type === 'create') {
    if (mirror.revisionOf(kind.name, id) !== undefined) {
      throw new TransactionConflict('exists', `${kind.name} ${id} already exists`, place);
    }
    return { ...place, expected: 0, ...put(kind, change.value, undefined, now) };
  }
  if (before?.revision !== change.revision) {
    throw new TransactionConflict('revision', `${kind.name} ${id} was changed or deleted in the meantime`, place);
  }
  const expected = change.revision;
  if (change.type === 'update') return { ...place, expected, ...put(kind, change.value, before, now) };
  const names = change.type === 'delete' ? keysOf(kind, before.value).names : [];
  return {
    ...place,
    expected,
    write: { type: change.type === 'delete' ? 'delete' : 'none' },
    takenNames: [],
    releasedNames: names,
  };
}

function put(
  kind: RecordKind<unknown>,
  value: unknown,
  before: ClusterRecord<unknown> | undefined,
  now: string,
): Pick<PlannedChange, 'write' | 'takenNames' | 'releasedNames'> {
  const json = JSON.stringify(value);
  if (json === undefined) throw internal(`${kind.name}: the value cannot be written as JSON`);
  const plain = kind.parse(JSON.parse(json));
  const had = before === undefined ? [] : keysOf(kind, before.value).names;
  const { names: has } = keysOf(kind, plain);
  return {
    write: {
      type: 'put',
      encoded: encodeRecord({
        version: kind.version,
        createdAt: before?.createdAt ?? now,
        updatedAt: now,
        value: plain,
      }),
    },
    takenNames: has.filter((name) => !had.includes(name)),
    releasedNames: had.filter((name) => !has.includes(name)),
  };
}

/** A name may move between records of one transaction, and be taken by one of them only. */
function checkNames(changes: readonly ClusterChange[], planned: readonly PlannedChange[], mirror: Mirror): void {
  const key = (kind: string, name: string): string => `${kind}/${name}`;
  const released = new Set(planned.flatMap(({ kind, releasedNames }) => releasedNames.map((name) => key(kind, name))));
  const taken = new Set<string>();
  for (const [index, { kind, id, takenNames }] of planned.entries()) {
    const definition = changes[index]?.kind;
    for (const name of takenNames) {
      const isFree =
        !taken.has(key(kind, name)) &&
        (released.has(key(kind, name)) || definition === undefined || mirror.byName(definition, name) === undefined);
      if (!isFree) throw new TransactionConflict('name', `the name ${name} is in use by another ${kind}`, { kind, id });
      taken.add(key(kind, name));
    }
  }
}
