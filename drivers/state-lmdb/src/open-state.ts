import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StateDriver } from '@gantry/core/contracts';
import type { DriverContext, DriverLifecycle } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';
import type { Config } from './config.js';
import { type LoadedEnvironment, loadEnvironment } from './environment/load-environment.js';
import type { WriterData } from './environment/messages.js';
import { WriterThread } from './environment/writer-thread.js';
import { LmdbState } from './lmdb-state.js';
import { lockRoot } from './root-lock.js';
import { setAside } from './set-aside.js';

/** Stores open in this process, by data file, each with what closes it. */
const openHere = new Map<string, () => Promise<void>>();

/**
 * Opens the store of a root. Everything is read and checked here, at once; writing begins in another thread, which only
 * the first who writes waits for, and `ready`: what others start with they read. A store on the same root that this
 * process abandoned is closed first.
 */
export async function openState({
  config,
  dirs,
  lifetime,
  log,
}: DriverContext<Config>): Promise<StateDriver & DriverLifecycle> {
  const file = join(dirs.root, 'state.mdb');
  await openHere.get(file)?.();
  const lock = lockRoot(join(dirs.root, 'state.lock'));
  lifetime.add(() => lock.release());
  const loaded = load(file);
  const data = writerData(file, loaded, config, log);
  const writer = new WriterThread(data);
  const state = new LmdbState(loaded.entries, writer, log);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      await state.close();
      await writer.close();
      lock.release();
      if (openHere.get(file) === close) openHere.delete(file);
    })();
    return closed;
  };
  openHere.set(file, close);
  lifetime.add(close);
  const ready = () => writer.ready();
  const isAnew = data.rebuild !== undefined; // then the damaged file is in safety before anything else happens
  return Object.assign(state, { ...(isAnew ? { start: ready } : { ready }), findOrphans: () => setAside(file, state) });
}

function load(file: string): LoadedEnvironment {
  if (!existsSync(file)) return { entries: [], faults: [], freeListFault: undefined };
  try {
    return loadEnvironment(file);
  } catch (error) {
    throw unavailable(
      `the state file ${file} cannot be read: ${messageOf(error)}. ` +
        'Put back a copy of it, or move it away to start with nothing',
      { cause: error },
    );
  }
}

/** Decides what to do with a damaged file: records that may be missing need the operator's word. */
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
        `Put back a copy of it, or set "salvage" to go on with the ${entries.length} records that can still be read`,
    );
  }
  const keepAs = unusedName(`${file}.damaged`);
  const facts = { event: 'state.rebuilt', file, keptAs: keepAs, records: entries.length, faults, freeListFault };
  log.error(facts, 'the state file was damaged and is written anew; the old one is kept');
  return { file, rebuild: { entries, keepAs } };
}

function unusedName(name: string): string {
  for (let number = 1; ; number++) {
    const candidate = `${name}-${number}`;
    if (statSync(candidate, { throwIfNoEntry: false }) === undefined) return candidate;
  }
}
