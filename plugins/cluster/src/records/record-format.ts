import { type ClusterStore, createRecord, type RecordKind, updateRecord } from '@gantry/core/contracts';
import { isRecord } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';

/** Of all records of a swarm together: raised with the version of any kind, by whichever package declares it. */
export const recordFormat = 1;

/** Which engines may lead the swarm: those that read this format. There is one such record. */
interface RecordFormat {
  readonly format: number;
}

const formats: RecordKind<RecordFormat> = {
  name: 'format',
  version: 1,
  parse(value) {
    if (!isRecord(value) || typeof value.format !== 'number') throw new TypeError('the format is no number');
    return { format: value.format };
  },
};

/**
 * Lets only engines of this format and later ones lead from here on. To an older one what a newer has written would look
 * as if it were not there, and an orchestrator removes what belongs to nothing.
 *
 * Rejects `conflict` when a newer engine has led this swarm; then nothing was changed.
 */
export async function claimFormat(store: ClusterStore, own: number = recordFormat): Promise<void> {
  const [record] = store.list(formats);
  const stored = record?.value.format ?? 0;
  if (stored > own) {
    throw conflict(
      `the records of the swarm have format ${stored}, and this engine knows up to ${own}: a newer engine has led the swarm; ` +
        'start that one on this manager again',
    );
  }
  if (stored === own) return;
  const value = { format: own };
  await store.transact([
    record === undefined ? createRecord(formats, 'swarm', value) : updateRecord(formats, record, value),
  ]);
}
