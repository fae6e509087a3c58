import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { freePageFault } from './free-page-fault.js';
import { NodeFlag, readTree } from './layout.js';
import { type Meta, type ReadAt, readMeta } from './meta.js';
import { TreeWalk } from './tree-walk.js';

/** The parts of the data file; each is a tree of its own. */
export const areas = ['records', 'quarantine'] as const;
export type Area = (typeof areas)[number];

export interface StoredEntry {
  readonly area: Area;
  readonly key: string;
  readonly value: Buffer;
}

export interface LoadedEnvironment {
  readonly entries: readonly StoredEntry[];
  /** Why entries may be missing; empty for a sound file. */
  readonly faults: readonly string[];
  /** All entries are intact, but writing to the file would damage it. */
  readonly freeListFault: string | undefined;
}

/**
 * Reads every entry of a data file and checks it page by page. Absent and empty files hold nothing.
 * Synchronous: for use at the start, before anything is served.
 * @throws Error when it is not a data file at all.
 */
export function loadEnvironment(file: string): LoadedEnvironment {
  return withFile(file, (readAt, size) => {
    if (size === 0) return { entries: [], faults: [], freeListFault: undefined };
    const meta = readMeta(readAt);
    const walk = new TreeWalk(readAt, meta);
    const entries = readAreas(walk, meta);
    return { entries, faults: walk.faults, freeListFault: checkFreeList(walk, meta) };
  });
}

/** The number of the newest commit in an open data file. */
export const lastTransaction = (descriptor: number): number => readMeta(readerOf(descriptor)).transaction;

function readAreas(walk: TreeWalk, meta: Meta): StoredEntry[] {
  const entries: StoredEntry[] = [];
  walk.walk('the root', meta.main, ({ key, flags, value }) => {
    const name = key.toString().replace(/\0$/, '');
    const area = areas.find((known) => known === name);
    if ((flags & NodeFlag.subTree) === 0 || area === undefined) return;
    walk.walk(area, readTree(value, 0), (entry) =>
      entries.push({ area, key: entry.key.toString(), value: entry.value }),
    );
  });
  return entries;
}

function checkFreeList(walk: TreeWalk, meta: Meta): string | undefined {
  const before = walk.faults.length;
  let fault: string | undefined;
  const lists: Buffer[] = [];
  walk.walk('free pages', meta.free, ({ value }) => lists.push(value));
  for (const list of lists) fault ??= freePageFault(list, walk.used);
  // Damage to this tree costs no record, so it is not one of the walk's faults.
  return walk.faults.splice(before)[0] ?? fault;
}

function withFile<R>(file: string, use: (readAt: ReadAt, size: number) => R): R {
  const descriptor = openSync(file, 'r');
  try {
    return use(readerOf(descriptor), fstatSync(descriptor).size);
  } finally {
    closeSync(descriptor);
  }
}

const readerOf =
  (descriptor: number): ReadAt =>
  (position, length) => {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
  };
