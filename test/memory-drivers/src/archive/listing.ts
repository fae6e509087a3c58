import { createHash } from 'node:crypto';
import { type BigIntStats, readFileSync } from 'node:fs';
import type { ListedEntry } from '@gantry/core/contracts';
import type { ByteString } from '@gantry/lib-archive/tar';
import { type Found, scan } from '../storage/host-directory.js';
import { textOf } from './host-tree.js';

/** What is at a path of the host with everything below it, in the order of the names' bytes. */
export const scanSorted = (directory: string): ReadonlyMap<ByteString, Found> =>
  new Map([...scan(directory)].sort(([one], [other]) => (one < other ? -1 : 1)));

export const listedEntry = (
  directory: string,
  path: ByteString,
  found: Found,
  { digests }: { readonly digests: boolean },
): ListedEntry => ({
  path: textOf(path),
  mode: Number(found.status.mode),
  size: Number(found.status.size),
  digest: digests ? digestOf(directory, path, found) : '',
});

function digestOf(directory: string, path: ByteString, { status, target }: Found): string {
  const { mode, uid, gid, rdev } = status;
  const hash = createHash('sha256').update([mode, uid, gid, rdev, target].join('\0'));
  if (status.isFile()) {
    hash.update(readFileSync(Buffer.concat([Buffer.from(path === '' ? directory : `${directory}/`), latin1(path)])));
  }
  return hash.digest('hex');
}

const latin1 = (path: ByteString): Buffer => Buffer.from(path, 'latin1');

/** Bytes of files, those with several names once. */
export function sizeOf(files: Iterable<BigIntStats>): number {
  const sizes = new Map<bigint, number>();
  for (const status of files) if (!status.isDirectory()) sizes.set(status.ino, Number(status.size));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
