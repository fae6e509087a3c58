import { type ClusterStore, type RecordKind, WatchCompacted } from '@gantry/core/contracts';

/** Comes now, and after each change of records of these kinds, also of one that was read too slowly, until the signal aborts. */
export async function* eachChange(
  store: ClusterStore,
  kinds: readonly RecordKind<unknown>[],
  signal: AbortSignal,
): AsyncGenerator<void> {
  while (!signal.aborted) {
    try {
      // Watched before it is read: no change is missed.
      const changes = store.watch({ kinds, signal });
      yield;
      for await (const _change of changes) yield;
    } catch (error) {
      if (!WatchCompacted.is(error)) throw error;
    }
  }
}
