import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Orphan } from '@gantry/core/driver';
import type { QuarantineEntry } from './record-collection.js';

/** Quarantined records and data files that were damaged, each with the place of its bytes. */
export async function stateOrphans(
  file: string,
  quarantined: Iterable<QuarantineEntry & { discard(): Promise<void> }>,
): Promise<readonly Orphan[]> {
  const records = [...quarantined].map(({ record, bytes, discard }): Orphan => {
    const { collection, key, reason } = record;
    return {
      what: 'record',
      name: `${collection}/${key}`,
      reason: `${reason}; its bytes are kept in the quarantine of ${file}`,
      bytes,
      isQuarantined: true,
      remove: discard,
    };
  });
  return [...records, ...(await damagedFiles(file))];
}

async function damagedFiles(file: string): Promise<readonly Orphan[]> {
  const directory = dirname(file);
  const names = (await readdir(directory)).filter((name) => name.startsWith(`${basename(file)}.damaged-`));
  return Promise.all(
    names.map(async (name): Promise<Orphan> => {
      const damaged = join(directory, name);
      return {
        what: 'state file',
        name: damaged,
        reason: 'it was damaged, and the state was rebuilt from what could be read of it',
        bytes: (await stat(damaged)).size,
        isQuarantined: true,
        remove: () => rm(damaged, { force: true }),
      };
    }),
  );
}
