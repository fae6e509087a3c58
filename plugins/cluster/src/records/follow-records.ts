import {
  type ClusterBatch,
  type ClusterStore,
  type RecordChange,
  type RecordKind,
  WatchCompacted,
} from '@gantry/core/contracts';

export interface RecordFollower {
  changed(change: RecordChange): void;
  /** Changes were missed, because this engine read them too slowly for the store to keep them. */
  lost(reason: unknown): void;
}

interface Followed {
  readonly store: ClusterStore;
  readonly signal: AbortSignal;
}

/** Calls back with every change of records of these kinds, in order, until the signal aborts or the store is closed. */
export function followRecords(
  followed: Followed,
  kinds: readonly RecordKind<unknown>[],
  follower: RecordFollower,
): Promise<void> {
  return followBatches(followed, kinds, {
    changed: ({ changes }) => {
      for (const change of changes) follower.changed(change);
    },
    lost: (reason) => follower.lost(reason),
  });
}

interface BatchFollower {
  changed(batch: ClusterBatch): void;
  /** As of `RecordFollower`. */
  lost(reason: unknown): void;
}

/** As `followRecords`, with all changes of a transaction together. It is watched from the moment of the call, and of `lost`, on. */
export async function followBatches(
  { store, signal }: Followed,
  kinds: readonly RecordKind<unknown>[],
  follower: BatchFollower,
): Promise<void> {
  for (;;) {
    try {
      for await (const batch of store.watch({ kinds, signal })) follower.changed(batch);
      return;
    } catch (error) {
      if (!WatchCompacted.is(error)) throw error;
      follower.lost(error);
    }
  }
}

/**
 * Comes now, and after each change of records of these kinds, also of one that was read too slowly, until the signal aborts or
 * the store is closed.
 */
export async function* eachChange(
  { store, signal }: Followed,
  kinds: readonly RecordKind<unknown>[],
): AsyncGenerator<void> {
  for (;;) {
    try {
      // Watched before it is read: no change is missed.
      const changes = store.watch({ kinds, signal });
      yield;
      for await (const _change of changes) yield;
      return;
    } catch (error) {
      if (!WatchCompacted.is(error)) throw error;
    }
  }
}

/** What happened to a record, as events name it. */
export function actionOf({ before, after }: RecordChange): 'create' | 'remove' | 'update' {
  if (before === undefined) return 'create';
  return after === undefined ? 'remove' : 'update';
}
