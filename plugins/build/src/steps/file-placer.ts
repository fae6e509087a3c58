import { readdir, utimes } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { Readable } from 'node:stream';
import {
  type ArchiveDriver,
  ArchiveDrivers,
  type ExtractOptions,
  type FileOwner,
  type SelectedPath,
} from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { encodeEntry, plainEntry } from '@gantry/lib-archive/tar';
import { isArchive } from '../context/archive-file.js';
import { isDirectory } from '../context/build-context.js';
import type { ImageRoot } from '../images/image-roots.js';
import { type ChangeEntry, changedEntries } from './changed-entries.js';
import type { ChangePermissions } from './file-permissions.js';
import type { CopySource } from './source-finder.js';

interface Placement {
  /** Nothing is written outside it. */
  readonly root: ImageRoot;
  /** Absolute path in the root; with a trailing slash it is a directory. */
  readonly destination: string;
  /** Owner of everything written; default: the owners of the sources. */
  readonly owner?: FileOwner;
  /** Changes the permissions of everything copied. */
  readonly permissions?: ChangePermissions | undefined;
  /** Which archives are extracted, with the owners of their entries. */
  readonly unpacks: 'local' | 'all' | 'none';
}

interface Options {
  readonly signal: AbortSignal;
}

/** Something to pack; with `keeps` only that part of it, by path below it. */
type Selection = SelectedPath & { readonly root: string; readonly keeps?: ((path: string) => boolean) | undefined };

/** What becomes of the metadata of everything copied. */
interface Changes {
  readonly permissions?: ChangePermissions | undefined;
  readonly owner?: FileOwner | undefined;
}

/** Blocks of zeros at the end of a tar. */
const endLength = 1024;

/** Writes files and directories into root file systems. */
@injectable()
export class FilePlacer {
  readonly #archive: ArchiveDriver;

  constructor(@inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>) {
    this.#archive = archives.get();
  }

  /**
   * Copies sources to the destination, whose missing parents are made. Resolves to the layer with what that changed, which
   * is read before the root is released.
   */
  async place(given: readonly CopySource[], placement: Placement, options: Options): Promise<Readable> {
    const { root, destination, owner, unpacks, permissions } = placement;
    const { directory } = root;
    const { path, existing, mode } = await this.#archive.resolveInRoot(directory, destination, options);
    const isExistingDirectory = mode !== undefined && isDirectory(mode);
    const sources = isExistingDirectory || destination.endsWith('/') ? given : replacing(given, destination);
    const packed: CopySource[] = [];
    const plain: CopySource[] = [];
    for (const source of sources) {
      const mayUnpack = unpacks === 'all' || (unpacks === 'local' && !source.isRemote);
      const isPacked =
        mayUnpack && !source.isDirectory && (await isArchive(join(await source.root(), source.path), this.#archive));
      (isPacked ? packed : plain).push(source);
    }
    const isInto =
      isExistingDirectory ||
      destination.endsWith('/') ||
      packed.length > 0 ||
      sources.some((source) => source.isDirectory);
    if (mode !== undefined && !isExistingDirectory && isInto) {
      throw invalidArgument(`cannot copy to directory ${destination}: it is a file`);
    }
    const parent = isInto ? path : posix.dirname(path);
    const missing = missingDirectories(parent, existing).map((each) => directoryEntry(each));
    const isTree = mode === undefined && plain.some((source) => source.isDirectory && !source.isNested);
    // A directory that is made for the content of another one is a copy of that one.
    if (isTree && permissions !== undefined) missing.splice(-1, 1, directoryEntry(path, permissions(0o755, true)));
    const selections = await Promise.all(
      plain.map(async (source): Promise<Selection> => {
        const contentOnly = source.isDirectory && !source.isNested;
        const name = isInto && !contentOnly ? posix.join(path, source.name) : path;
        return { root: await source.root(), path: source.path, name, contentOnly, keeps: source.keeps };
      }),
    );
    const extract = { ...options, ...(owner !== undefined && { owner }), keepDirectories: true };
    const taken = isExistingDirectory ? await readdir(join(directory, path), 'latin1') : [];
    const isNew = packed.length === 0 && (mode === undefined || isExistingDirectory);
    if (isNew && (await areNew(selections, path, taken))) {
      // Nothing is replaced: the files go into the layer at once, behind the directories they are in.
      if (missing.length > 0) await this.#extract(this.#tarOf(missing, [], {}, options), directory, extract);
      else await touch(join(directory, parent));
      const directories = withoutEnd(await root.diff(options));
      const files = this.#tarOf([], selections, { permissions, owner }, options);
      return Readable.from(joined(directories, files), { objectMode: false });
    }
    if (selections.length > 0 || missing.length > 0) {
      await this.#extract(this.#tarOf(missing, selections, { permissions }, options), directory, extract);
    }
    for (const source of packed) {
      await this.#archive.extract({ file: join(await source.root(), source.path) }, directory, `/${path}`, options);
    }
    return root.diff(options);
  }

  /** Makes a directory and its missing parents. Resolves to whether any was missing. */
  async makeDirectories(
    root: string,
    directory: string,
    options: Options & { readonly owner?: FileOwner },
  ): Promise<boolean> {
    const { path, existing, mode } = await this.#archive.resolveInRoot(root, directory);
    if (mode !== undefined) {
      if (!isDirectory(mode)) throw invalidArgument(`cannot make the directory ${directory}: a file is there`);
      return false;
    }
    await this.#extract(
      this.#tarOf(
        missingDirectories(path, existing).map((each) => directoryEntry(each)),
        [],
        {},
        options,
      ),
      root,
      options,
    );
    return true;
  }

  async #extract(tar: AsyncIterable<Buffer>, root: string, options: ExtractOptions): Promise<void> {
    const stream = Readable.from(tar, { objectMode: false });
    await this.#archive.extract({ stream, compression: 'none' }, root, '/', options);
  }

  /** One archive of new directories and of selections from several roots. */
  async *#tarOf(
    directories: readonly Buffer[],
    selections: readonly Selection[],
    changes: Changes,
    options: Options,
  ): AsyncGenerator<Buffer> {
    yield* directories;
    const groups: { readonly root: string; readonly items: SelectedPath[]; readonly keeps: Selection['keeps'] }[] = [];
    for (const { root, keeps, ...item } of selections) {
      const last = groups.at(-1);
      if (last?.root === root && last.keeps === undefined && keeps === undefined) last.items.push(item);
      else groups.push({ root, items: [item], keeps });
    }
    for (const { root, items, keeps } of groups) {
      const tar = withoutEnd(this.#archive.packSelection(root, items, options));
      const change = changeOf(items[0]?.name ?? '', keeps, changes);
      yield* change === undefined ? tar : changedEntries(tar, change);
    }
    yield Buffer.alloc(endLength);
  }
}

/**
 * Of several sources for a path that is no directory: a directory makes it one; else it is a file, which the sources
 * replace one after the other.
 */
function replacing(sources: readonly CopySource[], destination: string): readonly CopySource[] {
  if (sources.length < 2 || sources[0]?.isDirectory !== false) return sources;
  if (sources.some((source) => source.isDirectory)) {
    throw invalidArgument(`cannot copy to non-directory: ${destination}`);
  }
  return sources.slice(-1);
}

/** What becomes of the entries below a name; undefined when they stay as they are. */
function changeOf(name: string, keeps: Selection['keeps'], { permissions, owner }: Changes): ChangeEntry | undefined {
  if (keeps === undefined && permissions === undefined && owner === undefined) return undefined;
  return (found) => {
    const entry = owner === undefined ? found : { ...found, ...owner };
    const path = Buffer.from(entry.name, 'latin1').toString('utf8').replace(/\/$/, '');
    const below = path === name ? '' : path.slice(name === '' ? 0 : name.length + 1);
    if (keeps?.(below) === false) return undefined;
    if (permissions === undefined || entry.type === 'symlink') return entry;
    return { ...entry, mode: permissions(entry.mode, entry.type === 'directory') };
  };
}

/** Whether the names of the selections are neither taken nor the same. They are those below the destination. */
async function areNew(
  selections: readonly Selection[],
  destination: string,
  taken: readonly string[],
): Promise<boolean> {
  const names = new Set(taken);
  for (const { root, path, name, contentOnly } of selections) {
    const below = posix.relative(destination, name).split('/', 1);
    const added = contentOnly ? await readdir(join(root, path), 'latin1') : below.map(latin1);
    for (const each of added) {
      if (names.has(each)) return false;
      names.add(each);
    }
  }
  return true;
}

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** Changes the time of a directory, as adding a file does. */
async function touch(directory: string): Promise<void> {
  const now = new Date();
  await utimes(directory, now, now);
}

async function* joined(...parts: readonly AsyncIterable<Buffer>[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* part;
}

/** The missing directories of a path, from the top down. */
function missingDirectories(path: string, existing: string): readonly string[] {
  if (path === '.' || path === existing || path.length <= existing.length) return [];
  const names = path.slice(existing === '' ? 0 : existing.length + 1).split('/');
  return names.map((_, index) => posix.join(existing, ...names.slice(0, index + 1)));
}

/** An archive without its end, so that another can follow. */
async function* withoutEnd(tar: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  for await (const chunk of tar) {
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const cut = Math.max(0, all.length - endLength);
    if (cut > 0) yield all.subarray(0, cut);
    held = Buffer.from(all.subarray(cut));
  }
}

function directoryEntry(path: string, mode = 0o755): Buffer {
  return encodeEntry({
    ...plainEntry,
    name: `${latin1(path)}/`,
    type: 'directory',
    mode,
    modified: { seconds: Math.floor(Date.now() / 1000), nanoseconds: 0 },
  });
}
