import { type BigIntStats, readlinkSync } from 'node:fs';
import type { PathChange } from '@gantry/core/contracts';
import { type ByteString, joined, lastOf, parentOf, whiteoutName } from '@gantry/lib-archive/tar';
import { type Chroot, withChroot } from './chroot.js';
import type { JobContext } from './job-context.js';
import { LowerView } from './lower-view.js';
import { nativePath, readable } from './native-path.js';
import { childrenOf } from './pack.js';
import { exactStatusOf } from './status.js';
import { TreePacker } from './tree-packer.js';

/** A tree and the one it was copied from, undefined when it began empty. */
interface CopiedTree {
  readonly tree: string;
  readonly base: string | undefined;
}

interface TreeChange {
  readonly path: ByteString;
  readonly kind: PathChange['kind'];
}

/** Where a tree differs from the one it was copied from, in the order of the paths' bytes. */
export async function treeChanges({ tree, base }: CopiedTree, context: JobContext): Promise<PathChange[]> {
  const changes = await withChroot(tree, context.calls, (root) => new TreeComparison(root, context).run(base));
  return changes.map(({ path, kind }) => ({ path: readable(`/${path}`), kind }));
}

/** Packs the difference as an image layer. */
export async function packDifference({ tree, base }: CopiedTree, context: JobContext): Promise<undefined> {
  await withChroot(tree, context.calls, async (root) => {
    const packer = new TreePacker(context);
    // A changed time alone makes no entry for the root.
    const [own, old] = [
      exactStatusOf(''),
      base === undefined ? undefined : root.outside(() => viewOf(base, root).self()),
    ];
    if (own !== undefined && old !== undefined && metadataDiffers(own, old)) await packer.add('', '.');
    for (const { path, kind } of new TreeComparison(root, context).run(base)) {
      if (kind !== 'deleted') await packer.add(path, path);
      else await packer.addMark(joined(parentOf(path), whiteoutName(lastOf(path))), undefined);
    }
    await packer.finish();
  });
  return undefined;
}

/** Bytes of the files that were added or changed. */
export async function treeGrowth({ tree, base }: CopiedTree, context: JobContext): Promise<number> {
  return withChroot(tree, context.calls, (root) => {
    const counted = new Set<bigint>();
    let bytes = 0;
    for (const { path, kind } of new TreeComparison(root, context).run(base)) {
      const status = kind === 'deleted' ? undefined : exactStatusOf(path);
      if (status === undefined || status.isDirectory() || counted.has(status.ino)) continue;
      if (status.nlink > 1n) counted.add(status.ino);
      bytes += Number(status.size);
    }
    return bytes;
  });
}

/** Owner, mode or time differ. The size of a directory depends on the file system only. */
export const directoriesDiffer = (one: BigIntStats, other: BigIntStats): boolean =>
  metadataDiffers(one, other) || one.mtimeNs !== other.mtimeNs;

export const metadataDiffers = (one: BigIntStats, other: BigIntStats): boolean =>
  one.mode !== other.mode || one.uid !== other.uid || one.gid !== other.gid;

const viewOf = (base: string, { calls }: Chroot): LowerView => LowerView.of([base], calls.files);

class TreeComparison {
  readonly #changes: TreeChange[] = [];

  constructor(
    private readonly root: Chroot,
    private readonly context: JobContext,
  ) {}

  run(base: string | undefined): readonly TreeChange[] {
    this.#compare('', base === undefined ? LowerView.nothing : viewOf(base, this.root));
    return this.#changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** @returns whether anything in the directory has changed. */
  #compare(directory: ByteString, base: LowerView): boolean {
    this.context.throwIfAborted();
    const before = this.#changes.length;
    const own = childrenOf(directory);
    const old = this.root.outside(() => new Map(base.names().map((name) => [name, base.entry(name)])));
    for (const name of own) {
      const path = joined(directory, name);
      const status = exactStatusOf(path);
      const entry = old.get(name);
      if (status === undefined) continue;
      old.delete(name);
      if (entry === undefined) {
        this.#changes.push({ path, kind: 'added' });
        if (status.isDirectory()) this.#compare(path, LowerView.nothing);
      } else if (this.#differs(path, name, status, entry, base)) this.#changes.push({ path, kind: 'modified' });
    }
    for (const name of old.keys()) this.#changes.push({ path: joined(directory, name), kind: 'deleted' });
    return this.#changes.length > before;
  }

  #differs(
    path: ByteString,
    name: ByteString,
    status: BigIntStats,
    old: NonNullable<ReturnType<LowerView['entry']>>,
    base: LowerView,
  ): boolean {
    if (status.isDirectory()) {
      const wasDirectory = old.status.isDirectory();
      const view = wasDirectory ? this.root.outside(() => base.directory(name)) : LowerView.nothing;
      const inside = this.#compare(path, view);
      return inside || !wasDirectory || directoriesDiffer(status, old.status);
    }
    return (
      metadataDiffers(status, old.status) ||
      status.mtimeNs !== old.status.mtimeNs ||
      status.size !== old.status.size ||
      status.rdev !== old.status.rdev ||
      (status.isSymbolicLink() && this.#linkDiffers(path, old.path))
    );
  }

  #linkDiffers(path: ByteString, old: Buffer): boolean {
    const link = readlinkSync(nativePath(path), 'latin1');
    return this.root.outside(() => readlinkSync(old, 'latin1')) !== link;
  }
}
