import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs';
import type { ListedEntry, ResolvedPath, TreeListing } from '@gantry/core/contracts';
import { type ByteString, joined, parentOf } from '@gantry/lib-archive/tar';
import type { ListRequest, PathRequest } from '../pool/jobs.js';
import { withChroot } from './chroot.js';
import { followLinks } from './follow-links.js';
import type { JobContext } from './job-context.js';
import { byteString, nativePath, readable } from './native-path.js';
import { childrenOf } from './pack.js';
import { exactStatusOf, statusOf } from './status.js';

/** Where a path leads. */
export async function resolve({ root, path }: PathRequest, context: JobContext): Promise<ResolvedPath> {
  return withChroot(root, context.calls, () => resolved(followLinks(byteString(path))));
}

function resolved(path: ByteString): ResolvedPath {
  const status = statusOf(path);
  let existing = path;
  while (existing !== '' && statusOf(existing) === undefined) existing = parentOf(existing);
  return { path: readable(path), existing: readable(existing), mode: status?.mode };
}

/** What is at a path, with everything below it. */
export async function list({ root, path, digests }: ListRequest, context: JobContext): Promise<TreeListing> {
  return withChroot(root, context.calls, () => {
    const found = followLinks(byteString(path));
    const entries: ListedEntry[] = [];
    const contents = Buffer.allocUnsafe(digests ? 256 * 1024 : 0);
    const add = (at: ByteString, relative: ByteString): void => {
      context.throwIfAborted();
      const status = exactStatusOf(at);
      if (status === undefined) return;
      const digest = digests ? digestOf(at, status, contents) : '';
      entries.push({ path: readable(relative), mode: Number(status.mode), size: Number(status.size), digest });
      if (!status.isDirectory()) return;
      for (const name of childrenOf(at)) add(joined(at, name), joined(relative, name));
    };
    const place = resolved(found);
    if (place.mode !== undefined) add(found, '');
    return { ...place, entries };
  });
}

/** Of everything that a copy preserves. */
function digestOf(path: ByteString, status: BigIntStats, contents: Buffer): string {
  const { mode, uid, gid, rdev, size } = status;
  const hash = createHash('sha256');
  const link = status.isSymbolicLink() ? readlinkSync(nativePath(path), 'latin1') : '';
  hash.update(JSON.stringify([mode, uid, gid, rdev, status.isFile() ? size : 0n, link].map(String)));
  if (status.isFile()) {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const fd = openSync(nativePath(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      for (let read = readSync(fd, contents); read > 0; read = readSync(fd, contents)) {
        hash.update(contents.subarray(0, read));
      }
    } finally {
      closeSync(fd);
    }
  }
  return hash.digest('hex');
}
