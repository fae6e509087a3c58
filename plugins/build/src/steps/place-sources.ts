import { join, posix } from 'node:path';
import { Readable } from 'node:stream';
import type { FileOwner, SelectedPath } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { encodeEntry, plainEntry } from '@gantry/lib-archive/tar';
import type { Build } from '../build.js';
import { isArchive } from '../context/archive-file.js';
import { isDirectory } from '../context/build-context.js';
import type { CopySource } from './copy-sources.js';

export interface Placement {
  /** Mounted root; nothing is written outside of it. */
  readonly root: string;
  /** Absolute inside the root; with a slash at its end it is a directory. */
  readonly place: string;
  /** Of everything that is made; as they are where they come from without it. */
  readonly owner?: FileOwner;
  /** Local archives are unpacked, with the owners they name. */
  readonly unpacks: boolean;
}

/** Puts files at their place, as far as it is not there with the directories that lead to it. */
export async function placeSources(build: Build, sources: readonly CopySource[], placement: Placement): Promise<void> {
  const { archive } = build.parts;
  const { root, place, owner, unpacks } = placement;
  const options = { signal: build.signal };
  const { path, existing, mode } = await archive.resolveInRoot(root, place, options);
  const isThere = mode !== undefined && isDirectory(mode);
  const packed: CopySource[] = [];
  const plain: CopySource[] = [];
  for (const source of sources) {
    const unpack = unpacks && !source.isDirectory && !source.isRemote;
    if (unpack && (await isArchive(join(await source.root(), source.path), archive))) packed.push(source);
    else plain.push(source);
  }
  const isInto = isThere || place.endsWith('/') || packed.length > 0 || sources.some((source) => source.isDirectory);
  if (mode !== undefined && !isThere && isInto) {
    throw invalidArgument(`cannot copy to directory ${place}: it is a file`);
  }
  const missing = missingDirectories(isInto ? path : posix.dirname(path), existing);
  const into = (name: string): string => (isInto ? posix.join(path, name) : path);
  const items = await Promise.all(
    plain.map(async (source) => ({
      root: await source.root(),
      path: source.path,
      name: source.isDirectory ? path : into(source.name),
      contentOnly: source.isDirectory,
    })),
  );
  if (items.length > 0 || missing.length > 0) {
    const stream = Readable.from(tarOf(build, missing, items), { objectMode: false });
    const given = { ...options, ...(owner !== undefined && { owner }), keepDirectories: true };
    await archive.extract({ stream, compression: 'none' }, root, '/', given);
  }
  for (const source of packed) {
    await archive.extract({ file: join(await source.root(), source.path) }, root, `/${path}`, options);
  }
}

/** From the top down, those that are not there. */
function missingDirectories(path: string, existing: string): readonly string[] {
  if (path === '.' || path === existing || path.length <= existing.length) return [];
  const names = path.slice(existing === '' ? 0 : existing.length + 1).split('/');
  return names.map((_, index) => posix.join(existing, ...names.slice(0, index + 1)));
}

const endBlocks = 1024;

/** One archive of new directories and of selections from several roots. */
async function* tarOf(
  build: Build,
  directories: readonly string[],
  items: readonly (SelectedPath & { readonly root: string })[],
): AsyncGenerator<Buffer> {
  for (const directory of directories) yield directoryEntry(directory);
  const groups: { root: string; items: SelectedPath[] }[] = [];
  for (const { root, ...item } of items) {
    const last = groups.at(-1);
    if (last?.root === root) last.items.push(item);
    else groups.push({ root, items: [item] });
  }
  for (const group of groups) {
    yield* withoutEnd(build.parts.archive.packSelection(group.root, group.items, { signal: build.signal }));
  }
  yield Buffer.alloc(endBlocks);
}

/** An archive without the blocks of zeros that end it, so that another can follow. */
async function* withoutEnd(tar: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  for await (const piece of tar) {
    const all = held.length === 0 ? piece : Buffer.concat([held, piece]);
    const cut = Math.max(0, all.length - endBlocks);
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

/** Makes a directory with those above it where they are missing. @returns whether anything was missing. */
export async function makeDirectories(build: Build, root: string, place: string): Promise<boolean> {
  const { archive } = build.parts;
  const { path, existing, mode } = await archive.resolveInRoot(root, place);
  if (mode !== undefined) {
    if (!isDirectory(mode)) throw invalidArgument(`cannot make the directory ${place}: a file is there`);
    return false;
  }
  const entries = [...missingDirectories(path, existing).map(directoryEntry), Buffer.alloc(endBlocks)];
  const stream = Readable.from(entries, { objectMode: false });
  await archive.extract({ stream, compression: 'none' }, root, '/', { signal: build.signal });
  return true;
}
