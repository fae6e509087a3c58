import { readdir } from 'node:fs/promises';
import type { ArchiveDriver } from '@gantry/core/contracts';
import { conflict } from '@gantry/core/errors';
import type { Mounts } from '@gantry/lib-linux/mounts';
import type { BackupWriter } from '../format/backup-writer.js';
import { type Entry, type Listing, listEntries } from './list-entries.js';
import { packDirectory, packEntry, packTree } from './pack-entry.js';
import type { StateSource } from './state-source.js';

/** How often the state is copied anew because something was created or removed meanwhile. */
const mostRounds = 50;

interface BackupSource {
  readonly dataRoot: string;
  readonly archive: ArchiveDriver;
  readonly mounts: Mounts;
  readonly state: StateSource;
  /** Of the directory of a package. */
  readonly isIncluded: (path: string) => boolean;
}

interface Collected {
  readonly entries: readonly string[];
  /** Mount points whose content is not in the backup. */
  readonly mountPoints: readonly string[];
}

/**
 * Writes what an engine keeps, which may work meanwhile. First everything is written but the records; then, until nothing
 * was created or removed around a copy of the records, what has come meanwhile, and that copy. So all that the records
 * name is there, as a whole.
 */
export async function collectBackup(writer: BackupWriter, source: BackupSource): Promise<Collected> {
  const { dataRoot, state } = source;
  const written = new Map<string, number>();
  const mountPoints = new Set<string>();
  const list = (): Promise<Listing> => listEntries(dataRoot, (path) => path !== state.path && source.isIncluded(path));
  for (let round = 0; round < mostRounds; round++) {
    const { entries, directories } = await list();
    const fresh = entries.filter(({ path, inode }) => written.get(path) !== inode);
    const known = round === 0 ? directories : [];
    for (const directory of known) await packDirectory(writer, dataRoot, directory);
    const mounts = await mountsBelow(dataRoot, source.mounts);
    for (const { path, inode } of fresh) {
      await writer.item({ kind: 'entry', path });
      for (const left of await packEntry(writer, path, { dataRoot, archive: source.archive, mounts })) {
        mountPoints.add(left);
      }
      written.set(path, inode);
    }
    // What was written just now may have taken long.
    if (fresh.length > 0) continue;
    const copy = await state.copy();
    try {
      if (!areSame(entries, (await list()).entries)) continue;
      await packDirectory(writer, dataRoot, state.path);
      for (const name of await readdir(copy.directory)) await writeState(writer, copy.directory, name, source);
    } finally {
      await copy.release();
    }
    return { entries: entries.map(({ path }) => path), mountPoints: [...mountPoints] };
  }
  throw conflict(`containers, images or volumes are created and removed all the time: ${mostRounds} attempts failed`);
}

/** Writes a file of the copied records, as one of the state driver's directory. */
async function writeState(
  writer: BackupWriter,
  directory: string,
  name: string,
  { archive, state }: BackupSource,
): Promise<void> {
  await packTree(writer, { root: directory, path: name, as: state.path }, archive);
}

async function mountsBelow(dataRoot: string, mounts: Mounts): Promise<readonly string[]> {
  return (await mounts.list()).map(({ target }) => target).filter((target) => target.startsWith(`${dataRoot}/`));
}

function areSame(some: readonly Entry[], others: readonly Entry[]): boolean {
  const textOf = (entries: readonly Entry[]): string =>
    entries.map(({ path, inode }) => `${path}\0${inode}`).join('\0');
  return textOf(some) === textOf(others);
}
