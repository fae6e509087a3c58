import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Orphan } from '@gantry/core/driver';
import type { LmdbState } from './lmdb-state.js';

/** Records that could not be read, and data files that were damaged, each with where its bytes are. */
export async function setAside(file: string, state: LmdbState): Promise<readonly Orphan[]> {
  const records = [...state.setAside()].map(({ record, bytes, discard }): Orphan => {
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
        reason: 'it was damaged, and the state was written anew without what could not be read of it',
        bytes: (await stat(damaged)).size,
        isQuarantined: true,
        remove: () => rm(damaged, { force: true }),
      };
    }),
  );
}
