import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { addAbortSignal, Readable } from 'node:stream';
import {
  type ArchiveDriver,
  ArchiveDrivers,
  type ArchiveOptions,
  type ArchiveRoot,
  type ChangedTree,
  type ExtractedArchive,
  type ExtractedLayer,
  type ExtractLayerOptions,
  type ExtractOptions,
  type LayerJournal,
  type LayerSource,
  type PathChange,
  type PathStat,
  type ResolvedPath,
  type SelectedPath,
  type TreeListing,
} from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { invalidArgument, notFound, notImplemented } from '@gantry/core/errors';
import { archiveEnd, type ByteString, joined, lastOf, parentOf } from '@gantry/lib-archive/tar';
import { Type } from '@sinclair/typebox';
import { Extraction } from './archive/extraction.js';
import { bytesOf, HostTree, textOf } from './archive/host-tree.js';
import { listedEntry, scanSorted, sizeOf } from './archive/listing.js';
import { type Difference, differences } from './storage/differences.js';
import type { Found } from './storage/host-directory.js';
import { aborted, diffIdOf, membersOf, readSource } from './storage/layer-archive.js';
import { packDifferences, packFound } from './storage/pack-differences.js';

type Scan = ReadonlyMap<ByteString, Found>;

/**
 * Works on directories of the host in this thread, archives being whole in memory. Refused as `not-implemented`: bzip2, xz
 * and zstd, whiteouts and changes of overlayfs, and mounts of processes; what is mounted below a packed or listed path
 * is not shown. Links are resolved without protection against processes that swap them.
 */
class MemoryArchive implements ArchiveDriver {
  async extractLayer(
    source: LayerSource,
    directory: string,
    { whiteouts, journal, expectedDiffId, ...options }: ExtractLayerOptions,
  ): Promise<ExtractedLayer> {
    return this.#withSource(source, options, (archive) => {
      if (whiteouts === 'overlay') throw notImplemented('the memory driver does not mark whiteouts for overlayfs');
      const extraction = new Extraction(new HostTree(directory), '', { whiteouts: whiteouts === 'apply' });
      const extracted = extraction.extract(membersOf(archive));
      options.onRead?.(archive.length);
      const diffId = diffIdOf(archive);
      if (expectedDiffId !== undefined && diffId !== expectedDiffId) {
        throw invalidArgument(`the layer's digest is ${diffId}, but ${expectedDiffId} was expected`);
      }
      if (journal !== undefined) {
        mkdirSync(journal.payloads, { recursive: true });
        writeFileSync(journal.file, archive, { flag: 'wx' });
      }
      return { ...extracted, tarSize: archive.length, diffId };
    });
  }

  /** The journal is the archive. */
  layerTar(_directory: string, journal: LayerJournal, options?: ArchiveOptions): Readable {
    return streamOf(() => [readFileSync(journal.file)], options);
  }

  async extract(
    source: LayerSource,
    root: ArchiveRoot,
    path: string,
    { owner, keepDirectories, ...options }: ExtractOptions = {},
  ): Promise<ExtractedArchive> {
    return this.#withSource(source, options, (archive) => {
      const tree = new HostTree(root);
      const { path: base, status } = tree.follow(bytesOf(path));
      if (status === undefined) throw notFound(`${path}: no such directory`);
      if (!status.isDirectory()) throw invalidArgument(`${path}: not a directory`);
      tree.requireWritable(base);
      const extraction = new Extraction(tree, base, { whiteouts: false, owner, keepDirectories });
      return { ...extraction.extract(membersOf(archive)), tarSize: archive.length };
    });
  }

  async expand(source: Readable, options: ArchiveOptions & { readonly maxBytes?: number } = {}): Promise<Readable> {
    return this.#withSource({ stream: source }, options, (bytes) => streamOf(() => [bytes], options));
  }

  packTree(root: ArchiveRoot, path: string, options: ArchiveOptions & { readonly name?: string } = {}): Readable {
    return streamOf(() => {
      const tree = new HostTree(root);
      const found = tree.find(path);
      const name = options.name ?? (textOf(lastOf(found.path)) || '/');
      return [...packed(tree, found.path, bytesOf(name), { contentOnly: name === '' }), archiveEnd];
    }, options);
  }

  packSelection(root: ArchiveRoot, items: readonly SelectedPath[], options?: ArchiveOptions): Readable {
    return streamOf(() => {
      const tree = new HostTree(root);
      const pieces = items.flatMap(({ path, name, contentOnly }) =>
        packed(tree, tree.find(path).path, bytesOf(name), { contentOnly }),
      );
      return [...pieces, archiveEnd];
    }, options);
  }

  packChanges(tree: ChangedTree, options?: ArchiveOptions): Readable {
    return streamOf(() => {
      const { changes, now, directory } = changesOf(tree);
      return packDifferences(directory, changes, now);
    }, options);
  }

  async listChanges(tree: ChangedTree, { signal }: ArchiveOptions = {}): Promise<readonly PathChange[]> {
    throwIfAborted(signal);
    return changesOf(tree).changes.map(({ path, kind }) => ({ path: `/${textOf(path)}`, kind }));
  }

  async statInRoot(root: ArchiveRoot, path: string, { signal }: ArchiveOptions = {}): Promise<PathStat> {
    throwIfAborted(signal);
    const tree = new HostTree(root);
    const { path: found, status } = tree.find(path);
    return {
      name: textOf(lastOf(found)) || '/',
      size: status.size,
      mode: status.mode,
      modified: { seconds: Math.floor(status.mtimeMs / 1000), nanoseconds: Math.floor(status.mtimeMs % 1000) * 1e6 },
      linkTarget: status.isSymbolicLink() ? `/${textOf(tree.follow(found).path)}` : '',
    };
  }

  async resolveInRoot(root: ArchiveRoot, path: string, { signal }: ArchiveOptions = {}): Promise<ResolvedPath> {
    throwIfAborted(signal);
    return resolved(new HostTree(root), path);
  }

  async listTree(
    root: ArchiveRoot,
    path: string,
    { digests = false, signal }: ArchiveOptions & { readonly digests?: boolean } = {},
  ): Promise<TreeListing> {
    throwIfAborted(signal);
    const tree = new HostTree(root);
    const place = resolved(tree, path);
    if (place.mode === undefined) return { ...place, entries: [] };
    const directory = tree.hostPath(bytesOf(place.path)).toString();
    const entries = [...scanSorted(directory)].map(([each, found]) => listedEntry(directory, each, found, { digests }));
    return { ...place, entries };
  }

  async treeSize(
    directory: string,
    { base, signal }: ArchiveOptions & { readonly base?: string } = {},
  ): Promise<number> {
    throwIfAborted(signal);
    const now = scanSorted(directory);
    if (base === undefined) return sizeOf([...now.values()].map(({ status }) => status));
    return sizeOf(differences(scanSorted(base), now).flatMap(({ path }) => now.get(path)?.status ?? []));
  }

  async removeTree(directory: string, { signal }: ArchiveOptions = {}): Promise<void> {
    throwIfAborted(signal);
    rmSync(directory, { recursive: true, force: true });
  }

  async copyTree(from: string, to: string, { signal }: ArchiveOptions = {}): Promise<void> {
    throwIfAborted(signal);
    const archive = Buffer.concat([...packed(new HostTree(from), '', '', { contentOnly: false }), archiveEnd]);
    new Extraction(new HostTree(to), '', { whiteouts: false }).extract(membersOf(archive));
  }

  /** A stream is consumed or destroyed in every case. */
  async #withSource<T>(
    source: LayerSource,
    { signal, maxBytes }: ArchiveOptions & { readonly maxBytes?: number },
    action: (archive: Buffer) => T,
  ): Promise<T> {
    const stream = 'stream' in source ? source.stream : undefined;
    stream?.on('error', () => undefined);
    try {
      const archive = await readSource(source, signal);
      if (maxBytes !== undefined && archive.length > maxBytes) {
        throw invalidArgument(`the archive has more than the ${maxBytes} bytes that are allowed`);
      }
      throwIfAborted(signal);
      return action(archive);
    } finally {
      stream?.destroy();
    }
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw aborted();
}

function resolved(tree: HostTree, path: string): ResolvedPath {
  const place = tree.follow(bytesOf(path));
  let existing = place.path;
  while (existing !== '' && tree.status(existing) === undefined) existing = parentOf(existing);
  return { path: textOf(place.path), existing: textOf(existing), mode: place.status?.mode };
}

/** The entries of a path and of everything below it, under another name. */
function packed(
  tree: HostTree,
  path: ByteString,
  name: ByteString,
  { contentOnly }: { readonly contentOnly: boolean },
): readonly Buffer[] {
  const directory = tree.hostPath(path).toString();
  const linked = new Map<bigint, ByteString>();
  const named = (each: ByteString): ByteString => (each === '' ? name : name === '/' ? `/${each}` : joined(name, each));
  return [...scanSorted(directory)].flatMap(([each, found]) =>
    contentOnly && each === '' ? [] : packFound(directory, each, found, linked, named),
  );
}

function changesOf(tree: ChangedTree): {
  readonly changes: readonly Difference[];
  readonly now: Scan;
  readonly directory: string;
} {
  if ('upper' in tree) throw notImplemented('the memory driver does not read the changes of overlayfs');
  const now = scanSorted(tree.tree);
  const before = tree.base === undefined ? new Map<ByteString, Found>() : scanSorted(tree.base);
  const changes = differences(before, now).filter(({ path }) => path !== '');
  return { changes, now, directory: tree.tree };
}

/** Begins to work at the first read. */
function streamOf(make: () => readonly Buffer[], { signal }: ArchiveOptions = {}): Readable {
  const pieces = function* () {
    for (const piece of make()) for (let at = 0; at < piece.length; at += 65_536) yield piece.subarray(at, at + 65_536);
  };
  const stream = Readable.from(pieces(), { objectMode: false });
  return signal === undefined ? stream : addAbortSignal(signal, stream);
}

export const archive = defineDriver({
  id: 'memory',
  provides: ArchiveDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => new MemoryArchive(),
});
