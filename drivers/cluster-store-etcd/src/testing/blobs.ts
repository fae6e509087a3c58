import { type ClusterStore, createRecord, type RecordKind } from '@gantry/core/contracts';

export const blobs: RecordKind<{ readonly text: string }> = {
  name: 'blob',
  version: 1,
  parse: (value) => value as { readonly text: string },
};

/** Half a megabyte, as large as secrets get. */
export const blob = (index: number) => ({ text: String(index).padStart(512 * 1024, '-') });

export const smallQuota = { quotaBytes: 16 * 1024 ** 2 };

/** Creates records until the store refuses one. */
export async function fill(store: ClusterStore): Promise<{ readonly count: number; readonly error: unknown }> {
  for (let index = 0; index < 100; index++) {
    try {
      await store.transact([createRecord(blobs, String(index), blob(index))]);
    } catch (error) {
      return { count: index, error };
    }
  }
  return { count: 100, error: undefined };
}
