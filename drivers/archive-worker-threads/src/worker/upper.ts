import type { BigIntStats } from 'node:fs';
import type { PathChange } from '@gantry/core/contracts';
import { type ByteString, joined, opaqueName, whiteoutName } from '@gantry/lib-archive/tar';
import { type Chroot, withChroot } from './chroot.js';
import type { JobContext } from './job-context.js';
import type { KernelCalls } from './kernel-calls.js';
import { LowerView } from './lower-view.js';
import { readable } from './native-path.js';
import { childrenOf } from './pack.js';
import { exactStatusOf, isWhiteout } from './status.js';
import { directoriesDiffer, metadataDiffers } from './tree-difference.js';
import { TreePacker } from './tree-packer.js';

/** The upper directory of an overlay, and the directories below it, topmost first. */
interface OverlayTree {
  readonly upper: string;
  readonly lower: readonly string[];
}

/** Packs the upper directory of an overlay as an image layer. */
export async function packUpper({ upper, lower }: OverlayTree, context: JobContext): Promise<undefined> {
  await withChroot(upper, context.calls, async (root) => {
    const packer = new TreePacker(context);
    // Every container changes the times of its root: only another owner or mode makes an entry for it.
    if (rootDiffers(root, LowerView.of(lower, root.calls.files))) await packer.add('', '.');
    await packUpperBelow(packer, '', root.calls);
    await packer.finish();
  });
  return undefined;
}

async function packUpperBelow(packer: TreePacker, directory: ByteString, calls: KernelCalls): Promise<void> {
  for (const name of childrenOf(directory)) {
    const path = joined(directory, name);
    const status = exactStatusOf(path);
    if (status === undefined) continue;
    if (isWhiteout(status)) {
      await packer.addMark(joined(directory, whiteoutName(name)), status);
      continue;
    }
    await packer.add(path, path);
    if (!status.isDirectory()) continue;
    if (calls.isOpaque(path)) await packer.addMark(joined(path, opaqueName), status);
    await packUpperBelow(packer, path, calls);
  }
}

function rootDiffers(root: Chroot, lower: LowerView): boolean {
  const [own, below] = [exactStatusOf(''), root.outside(() => lower.self())];
  if (own === undefined || below === undefined) return false;
  return metadataDiffers(own, below);
}

/** What the upper directory of an overlay changes, in the order of the paths' bytes. */
export async function upperChanges({ upper, lower }: OverlayTree, context: JobContext): Promise<PathChange[]> {
  return withChroot(upper, context.calls, (root) => {
    const comparison = new UpperComparison(root, context);
    comparison.compare('', LowerView.of(lower, root.calls.files));
    return comparison.changes
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, kind }) => ({ path: readable(`/${path}`), kind }));
  });
}

class UpperComparison {
  readonly changes: { path: ByteString; kind: PathChange['kind'] }[] = [];

  constructor(
    private readonly root: Chroot,
    private readonly context: JobContext,
  ) {}

  /** @returns whether anything in the directory has changed. */
  compare(directory: ByteString, lower: LowerView): boolean {
    this.context.throwIfAborted();
    let changed = false;
    const names = childrenOf(directory);
    // The root is left once for the whole directory.
    const below = this.root.outside(() => new Map(names.map((name) => [name, lower.entry(name)?.status])));
    for (const name of names) {
      const path = joined(directory, name);
      const status = exactStatusOf(path);
      const old = below.get(name);
      if (status === undefined) continue;
      if (isWhiteout(status)) {
        if (old !== undefined) changed = this.#add(path, 'deleted');
      } else if (old === undefined) {
        changed = this.#add(path, 'added');
        if (status.isDirectory()) this.compare(path, LowerView.nothing);
      } else if (!status.isDirectory()) changed = this.#add(path, 'modified');
      else if (this.#compareDirectory(path, name, status, old, lower)) changed = this.#add(path, 'modified');
    }
    return changed;
  }

  #compareDirectory(
    path: ByteString,
    name: ByteString,
    status: BigIntStats,
    old: BigIntStats,
    lower: LowerView,
  ): boolean {
    if (!old.isDirectory()) {
      this.compare(path, LowerView.nothing);
      return true;
    }
    const view = this.root.outside(() => lower.directory(name));
    const opaque = this.root.calls.isOpaque(path);
    if (opaque) this.#addHidden(path, view);
    const inside = this.compare(path, view);
    return inside || opaque || directoriesDiffer(status, old);
  }

  /** Entries that an opaque directory hides and does not have itself are deleted. */
  #addHidden(path: ByteString, lower: LowerView): void {
    const own = new Set(childrenOf(path));
    for (const name of this.root.outside(() => lower.names())) {
      if (!own.has(name)) this.#add(joined(path, name), 'deleted');
    }
  }

  #add(path: ByteString, kind: PathChange['kind']): true {
    this.changes.push({ path, kind });
    return true;
  }
}
