import { join, posix } from 'node:path';
import { Readable } from 'node:stream';
import { type ArchiveDriver, ArchiveDrivers, type FileOwner, type SelectedPath } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { encodeEntry, plainEntry } from '@gantry/lib-archive/tar';
import { isArchive } from '../context/archive-file.js';
import { isDirectory } from '../context/build-context.js';
import type { CopySource } from './source-finder.js';
import { withPermissions } from './with-permissions.js';

interface Placement {
  /** Mounted root file system; nothing is written outside it. */
  readonly root: string;
  /** Absolute path in the root; with a trailing slash it is a directory. */
  readonly destination: string;
  /** Owner of everything written; default: the owners of the sources. */
  readonly owner?: FileOwner;
  /** Permissions of everything copied; default: those of the sources. */
  readonly mode?: number | undefined;
  /** Local archives are extracted, with the owners of their entries. */
  readonly unpacks: boolean;
}

interface Options {
  readonly signal: AbortSignal;
}

type Selection = SelectedPath & { readonly root: string };

/** Blocks of zeros at the end of a tar. */
const endLength = 1024;

/** Writes files and directories into root file systems. */
@injectable()
export class FilePlacer {
  readonly #archive: ArchiveDriver;

  constructor(@inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>) {
    this.#archive = archives.get();
  }

  /** Copies sources to the destination, whose missing parents are made. */
  async place(sources: readonly CopySource[], placement: Placement, options: Options): Promise<void> {
    const { root, destination, owner, unpacks, mode: permissions } = placement;
    const { path, existing, mode } = await this.#archive.resolveInRoot(root, destination, options);
    const isExistingDirectory = mode !== undefined && isDirectory(mode);
    const packed: CopySource[] = [];
    const plain: CopySource[] = [];
    for (const source of sources) {
      const mayUnpack = unpacks && !source.isDirectory && !source.isRemote;
      const isPacked = mayUnpack && (await isArchive(join(await source.root(), source.path), this.#archive));
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
    const missing = missingDirectories(isInto ? path : posix.dirname(path), existing);
    const selections = await Promise.all(
      plain.map(async (source): Promise<Selection> => {
        const name = isInto && !source.isDirectory ? posix.join(path, source.name) : path;
        return { root: await source.root(), path: source.path, name, contentOnly: source.isDirectory };
      }),
    );
    if (selections.length > 0 || missing.length > 0) {
      const stream = Readable.from(this.#tarOf(missing, selections, permissions, options), { objectMode: false });
      const extract = { ...options, ...(owner !== undefined && { owner }), keepDirectories: true };
      await this.#archive.extract({ stream, compression: 'none' }, root, '/', extract);
    }
    for (const source of packed) {
      await this.#archive.extract({ file: join(await source.root(), source.path) }, root, `/${path}`, options);
    }
  }

  /** Makes a directory and its missing parents. Resolves to whether any was missing. */
  async makeDirectories(root: string, directory: string, options: Options): Promise<boolean> {
    const { path, existing, mode } = await this.#archive.resolveInRoot(root, directory);
    if (mode !== undefined) {
      if (!isDirectory(mode)) throw invalidArgument(`cannot make the directory ${directory}: a file is there`);
      return false;
    }
    const entries = [...missingDirectories(path, existing).map(directoryEntry), Buffer.alloc(endLength)];
    const stream = Readable.from(entries, { objectMode: false });
    await this.#archive.extract({ stream, compression: 'none' }, root, '/', options);
    return true;
  }

  /** One archive of new directories and of selections from several roots. */
  async *#tarOf(
    directories: readonly string[],
    selections: readonly Selection[],
    permissions: number | undefined,
    options: Options,
  ): AsyncGenerator<Buffer> {
    for (const directory of directories) yield directoryEntry(directory);
    const groups: { readonly root: string; readonly items: SelectedPath[] }[] = [];
    for (const { root, ...item } of selections) {
      const last = groups.at(-1);
      if (last?.root === root) last.items.push(item);
      else groups.push({ root, items: [item] });
    }
    for (const group of groups) {
      const tar = withoutEnd(this.#archive.packSelection(group.root, group.items, options));
      yield* permissions === undefined ? tar : withPermissions(tar, permissions);
    }
    yield Buffer.alloc(endLength);
  }
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

function directoryEntry(path: string): Buffer {
  return encodeEntry({
    ...plainEntry,
    name: `${Buffer.from(path).toString('latin1')}/`,
    type: 'directory',
    mode: 0o755,
    modified: { seconds: Math.floor(Date.now() / 1000), nanoseconds: 0 },
  });
}
