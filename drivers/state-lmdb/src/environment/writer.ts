import { chmodSync, closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@gantry/core/errors';
import { type Database, open, type RootDatabase } from 'lmdb';
import { type Area, areas, lastTransaction } from './load-environment.js';
import type { Write, WriterData } from './messages.js';

/** Address space, not memory or disk: the file grows as needed, up to this. */
const mapSize = 16 * 2 ** 30;

interface Environment {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly areas: Readonly<Record<Area, Database<Buffer, Buffer>>>;
}

/** Writes to one data file. Nearly every call is synchronous, so it needs a thread of its own. One call at a time. */
export interface EnvironmentWriter {
  /** Returns when all is on disk. @throws Error with the reason, and then nothing was changed. */
  commit(writes: readonly Write[]): void;
  /** Writes all that is committed into a new file, which is on the disk then. Rejects with the reason. */
  copy(file: string): Promise<void>;
  close(): void;
}

/** Opens a data file, creating it if absent and rebuilding it on request. Throws when it cannot be opened. */
export function openWriter({ file, rebuild }: WriterData): EnvironmentWriter {
  if (rebuild !== undefined) rebuildFile(file, rebuild);
  createPrivate(file);
  let environment = openEnvironment(file);
  /** Why nothing can be written any more. */
  let end: string | undefined;
  const descriptor = openSync(file, 'r');
  let isInDirectory = false;
  const syncDirectory = (): void => {
    if (!isInDirectory) syncPath(dirname(file));
    isInDirectory = true;
  };
  try {
    syncDirectory();
  } catch {
    // A full disk can still be read. The first commit tries again, and fails with the reason.
  }

  /** After a failure reads from the file itself whether the commit is in it, and reopens LMDB. */
  const recover = (before: number, failure: unknown): void => {
    try {
      void environment.root.close();
      environment = openEnvironment(file);
      if (lastTransaction(descriptor) !== before) syncPath(file);
      else throw failure;
    } catch (error) {
      if (error === failure) throw new Error(isFull(file) ? 'no space left on device' : messageOf(failure));
      end = `${messageOf(failure)}, and then: ${messageOf(error)}`;
      throw new Error(end, { cause: error });
    }
  };

  return {
    commit(writes) {
      if (end !== undefined) throw new Error(end);
      const before = lastTransaction(descriptor);
      try {
        syncDirectory();
        write(environment, writes);
      } catch (error) {
        recover(before, error);
      }
    },
    async copy(copy) {
      if (end !== undefined) throw new Error(end);
      await environment.root.backup(copy, true);
      chmodSync(copy, 0o600);
      syncPath(copy);
      syncPath(dirname(copy));
    },
    close() {
      closeSync(descriptor);
      void environment.root.close();
    },
  };
}

function openEnvironment(file: string): Environment {
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>({
    path: file,
    noSubdir: true,
    maxDbs: areas.length,
    mapSize,
    // Otherwise a transaction would be reported as committed before it is on disk.
    overlappingSync: false,
    ...binary,
  });
  return {
    root,
    areas: { records: root.openDB('records', binary), quarantine: root.openDB('quarantine', binary) },
  };
}

function write({ root, areas: databases }: Environment, writes: Iterable<Write>): void {
  root.transactionSync(() => {
    for (const { area, key, value } of writes) {
      if (value === undefined) databases[area].removeSync(Buffer.from(key));
      else databases[area].putSync(Buffer.from(key), Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    }
  });
}

/** Writes all entries into a new file and replaces the old one, which is kept under another name. */
function rebuildFile(file: string, { entries, keepAs }: NonNullable<WriterData['rebuild']>): void {
  const fresh = `${file}.new`;
  for (const left of [fresh, `${fresh}-lock`]) rmSync(left, { force: true });
  createPrivate(fresh);
  const environment = openEnvironment(fresh);
  write(environment, entries);
  void environment.root.close();
  linkSync(file, keepAs);
  renameSync(fresh, file);
  for (const left of [`${fresh}-lock`, `${file}-lock`]) rmSync(left, { force: true });
  syncPath(dirname(file));
}

/** Records may hold secrets. LMDB takes an empty file for a new one. */
const createPrivate = (file: string): void => closeSync(openSync(file, 'a', 0o600));

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** LMDB reports a short write on a full disk as an input/output error. */
function isFull(file: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize < 2 ** 20;
}
