import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Class, DriverContext } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';
import { Files } from '@gantry/lib-linux/files';
import type { Config } from './config.js';
import { type LoadedEnvironment, loadEnvironment } from './environment/load-environment.js';
import type { WriterData } from './environment/messages.js';
import { WriterThread } from './environment/writer-thread.js';
import { LmdbState } from './lmdb-state.js';
import { lockRoots, RootLock } from './root-lock.js';
import { openStores, StateFile, StoredEntries, StoredEnvironment } from './tokens.js';

/**
 * Locks the store of a root, and reads and checks all of it. Writing begins in another thread, which only the first write
 * and `ready` wait for. A store on the same root that this process abandoned is closed first.
 */
export async function createState({
  config,
  container,
  dirs,
  lifetime,
  log,
}: DriverContext<Config>): Promise<Class<LmdbState>> {
  const file = join(dirs.root, 'state.mdb');
  await openStores.get(file)?.close();
  container.registerValue(StateFile, file);
  container.registerFactory(RootLock, [Files.token], (files: Files) => {
    const lock = lockRoots(files, {
      dataRoot: join(dirs.root, 'state.lock'),
      execRoot: join(dirs.state, 'state.lock'),
    });
    lifetime.add(() => lock.release());
    return lock;
  });
  container.registerFactory(StoredEnvironment, [RootLock], (_lock: RootLock) => load(file));
  container.registerFactory(StoredEntries, [StoredEnvironment], ({ entries }: StoredEnvironment) => entries);
  container.registerFactory(
    WriterThread,
    [StoredEnvironment],
    (stored: StoredEnvironment) => new WriterThread(writerData(file, stored, config, log)),
  );
  return LmdbState;
}

function load(file: string): LoadedEnvironment {
  if (!existsSync(file)) return { entries: [], faults: [], freeListFault: undefined };
  try {
    return loadEnvironment(file);
  } catch (error) {
    throw unavailable(
      `the state file ${file} cannot be read: ${messageOf(error)}. ` +
        'Restore a copy of it, or move it away to start with nothing',
      { cause: error },
    );
  }
}

/** Decides how to handle a damaged file: if records may be missing, the operator has to decide. */
function writerData(
  file: string,
  { entries, faults, freeListFault }: LoadedEnvironment,
  { salvage }: Config,
  log: DriverContext<Config>['log'],
): WriterData {
  if (faults.length === 0 && freeListFault === undefined) return { file };
  if (faults.length > 0 && !salvage) {
    throw unavailable(
      `the state file ${file} is damaged: ${faults[0]}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}. ` +
        `Restore a copy of it, or set "salvage" to continue with the ${entries.length} records that can still be read`,
    );
  }
  const keepAs = unusedName(`${file}.damaged`);
  const facts = { event: 'state.rebuilt', file, keptAs: keepAs, records: entries.length, faults, freeListFault };
  log.error(facts, 'state file is damaged; rebuilding it and keeping the old one');
  return { file, rebuild: { entries, keepAs } };
}

function unusedName(name: string): string {
  for (let number = 1; ; number++) {
    const candidate = `${name}-${number}`;
    if (statSync(candidate, { throwIfNoEntry: false }) === undefined) return candidate;
  }
}
