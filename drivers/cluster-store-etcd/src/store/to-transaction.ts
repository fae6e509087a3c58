import type { PlannedChange } from '@gantry/lib-cluster-store';
import type { Compare, RequestOp } from '../rpc/messages.js';
import { epochKey, nameKey, recordKey } from './keys.js';

export interface Transaction {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
}

/** What a transaction does to the size of the store. */
export interface Growth {
  readonly creates: boolean;
  readonly removes: boolean;
  /** Of the records it writes. */
  readonly bytes: number;
}

export const growthOf = (changes: readonly PlannedChange[]): Growth => ({
  creates: changes.some(({ expected, write }) => expected === 0 && write.type === 'put'),
  removes: changes.some(({ write }) => write.type === 'delete'),
  bytes: changes.reduce((sum, { write }) => sum + (write.type === 'put' ? Buffer.byteLength(write.encoded) : 0), 0),
});

/** etcd's form of a planned transaction: what it compares, and what it writes if all of that holds. */
export function toTransaction(changes: readonly PlannedChange[], epoch: number | undefined): Transaction {
  const compare: Compare[] = epoch === undefined ? [] : [hasValue(epochKey, String(epoch))];
  const success: RequestOp[] = [];
  const owners = releasedNames(changes);
  for (const { kind, id, expected, write, takenNames } of changes) {
    const key = recordKey(kind, id);
    compare.push(hasRevision(key, expected));
    if (write.type === 'put') success.push(put(key, write.encoded));
    if (write.type === 'delete') success.push(remove(key));
    for (const name of takenNames) {
      const taken = nameKey(kind, name);
      // A name that moves within the transaction is written once: etcd refuses two changes of one key.
      const owner = owners.get(taken.toString());
      compare.push(owner === undefined ? hasRevision(taken, 0) : hasValue(taken, owner));
      owners.delete(taken.toString());
      success.push(put(taken, id));
    }
  }
  for (const name of owners.keys()) success.push(remove(Buffer.from(name)));
  return { compare, success };
}

/** The record that gives up each name, by the name's key. */
const releasedNames = (changes: readonly PlannedChange[]): Map<string, string> =>
  new Map(
    changes.flatMap(({ kind, id, releasedNames: names }) =>
      names.map((name) => [nameKey(kind, name).toString(), id] as const),
    ),
  );

/** The key was last written at the revision; 0: it is absent. */
const hasRevision = (key: Buffer, revision: number): Compare =>
  revision === 0
    ? { result: 0, target: 1, key, createRevision: 0 }
    : { result: 0, target: 2, key, modRevision: revision };

const hasValue = (key: Buffer, value: string): Compare => ({ result: 0, target: 3, key, value: Buffer.from(value) });
const put = (key: Buffer, value: string): RequestOp => ({ requestPut: { key, value: Buffer.from(value) } });
const remove = (key: Buffer): RequestOp => ({ requestDeleteRange: { key } });
