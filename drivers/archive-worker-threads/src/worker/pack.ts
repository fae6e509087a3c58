import type { Dirent } from 'node:fs';
import type { PathStat } from '@gantry/core/contracts';
import { invalidArgument, notFound } from '@gantry/core/errors';
import { type ByteString, joined, lastOf, normalise, parentOf } from '@gantry/lib-archive/tar';
import type { PackRequest, PathRequest, SelectionRequest } from '../pool/jobs.js';
import { withChroot } from './chroot.js';
import { followLinks } from './follow-links.js';
import type { JobContext } from './job-context.js';
import { byteString, readable } from './native-path.js';
import { entriesOf } from './remove-below.js';
import { exactStatusOf, fileTime, statusOf } from './status.js';
import { TreePacker } from './tree-packer.js';

/** Packs what is at a path inside a root, a directory with all that is in it. */
export async function pack({ root, path, name, exact }: PackRequest, context: JobContext): Promise<undefined> {
  await withChroot(root, context.calls, async () => {
    const found = locate(path);
    const packer = new TreePacker(context, { exact });
    await packTree(packer, found, name === undefined ? lastOf(found) : byteString(name));
    await packer.finish();
  });
  return undefined;
}

/** Packs several things of one root, each under a name of its own. */
export async function packSelection({ root, items }: SelectionRequest, context: JobContext): Promise<undefined> {
  await withChroot(root, context.calls, async () => {
    const packer = new TreePacker(context);
    for (const { path, name, contentOnly } of items) {
      const found = locate(path);
      const below = byteString(name);
      if (!contentOnly) await packTree(packer, found, below);
      else for (const child of childrenOf(found)) await packTree(packer, joined(found, child), joined(below, child));
    }
    await packer.finish();
  });
  return undefined;
}

/** An empty name leaves the entry of the directory itself out. */
async function packTree(packer: TreePacker, path: ByteString, name: ByteString, isFile = false): Promise<void> {
  const isDirectory = name === '' ? true : (await packer.add(path, name, isFile))?.isDirectory() === true;
  if (!isDirectory) return;
  const prefix = name === '' || name === '/' ? name : `${name}/`;
  for (const entry of entriesOf(path).sort(byName)) {
    await packTree(packer, joined(path, entry.name), `${prefix}${entry.name}`, entry.isFile());
  }
}

const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1);

/** Names in a directory in the order of their bytes. */
export const childrenOf = (path: ByteString): ByteString[] =>
  entriesOf(path)
    .map(({ name }) => name)
    .sort();

/** The status of one path, of a link itself, with where it leads inside the root. */
export async function stat({ root, path }: PathRequest, context: JobContext): Promise<PathStat> {
  return withChroot(root, context.calls, () => {
    const found = locate(path);
    const status = exactStatusOf(found);
    if (status === undefined) throw missing(path);
    return {
      name: readable(lastOf(found)) || '/',
      size: Number(status.size),
      mode: Number(status.mode),
      modified: fileTime(status.mtimeNs),
      linkTarget: status.isSymbolicLink() ? readable(`/${followLinks(found)}`) : '',
    };
  });
}

/**
 * Where a client's path leads: links on the way are followed, one at the end only when a slash follows it, and then it
 * must lead to a directory.
 */
function locate(path: string): ByteString {
  const given = byteString(path);
  const clean = normalise(given);
  const isDirectory = /(^|\/)\.?$/.test(given);
  const found = isDirectory ? followLinks(clean) : joined(followLinks(parentOf(clean)), lastOf(clean));
  const status = statusOf(found);
  if (status === undefined) throw missing(path);
  if (isDirectory && !status.isDirectory()) throw invalidArgument(`lstat ${path}: not a directory`);
  return found;
}

const missing = (path: string): Error => notFound(`lstat ${path}: no such file or directory`);
