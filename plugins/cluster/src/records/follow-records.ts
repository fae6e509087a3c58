import { type ClusterStore, type RecordChange, type RecordKind, WatchCompacted } from '@gantry/core/contracts';

export interface RecordFollower {
  changed(change: RecordChange): void;
  /** Changes were missed, because this engine read them too slowly for the store to keep them. */
  lost(reason: unknown): void;
}

/** Calls back with every change of records of these kinds, in order, until the signal aborts. */
export async function followRecords(
  { store, signal }: { readonly store: ClusterStore; readonly signal: AbortSignal },
  kinds: readonly RecordKind<unknown>[],
  follower: RecordFollower,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { changes } of store.watch({ kinds, signal })) {
        for (const change of changes) follower.changed(change);
      }
    } catch (error) {
      if (!WatchCompacted.is(error)) throw error;
      follower.lost(error);
    }
  }
}

/** What happened to a record, as events name it. */
export function actionOf({ before, after }: RecordChange): 'create' | 'remove' | 'update' {
  if (before === undefined) return 'create';
  return after === undefined ? 'remove' : 'update';
}
