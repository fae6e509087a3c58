import type { PathChange } from '@gantry/core/contracts';
import { type ByteString, parentOf } from '@gantry/lib-archive/tar';
import type { Found } from './host-directory.js';

type Scan = ReadonlyMap<ByteString, Found>;

export interface Difference {
  readonly path: ByteString;
  readonly kind: PathChange['kind'];
}

/** What has changed between two scans of a directory, in the order of the paths' bytes. */
export function differences(before: Scan, after: Scan): readonly Difference[] {
  const kinds = new Map<ByteString, PathChange['kind']>();
  for (const [path, found] of after) {
    const old = before.get(path);
    if (old === undefined) kinds.set(path, 'added');
    else if (path !== '' && differs(old, found)) kinds.set(path, 'modified');
  }
  for (const path of before.keys()) {
    // What a directory had goes with it.
    if (!after.has(path) && after.get(parentOf(path))?.status.isDirectory() === true) kinds.set(path, 'deleted');
  }
  for (const path of [...kinds.keys()]) {
    for (let at = parentOf(path); at !== '' && !kinds.has(at); at = parentOf(at)) kinds.set(at, 'modified');
  }
  return [...kinds].sort(([one], [other]) => (one < other ? -1 : 1)).map(([path, kind]) => ({ path, kind }));
}

/** The root differs in what an archive would say about it. */
export const rootDiffers = (before: Scan, after: Scan): boolean => {
  const [old, now] = [before.get('')?.status, after.get('')?.status];
  return (
    old !== undefined && now !== undefined && (old.mode !== now.mode || old.uid !== now.uid || old.gid !== now.gid)
  );
};

function differs(one: Found, other: Found): boolean {
  const [a, b] = [one.status, other.status];
  return (
    a.mode !== b.mode ||
    a.uid !== b.uid ||
    a.gid !== b.gid ||
    a.mtimeNs !== b.mtimeNs ||
    a.rdev !== b.rdev ||
    (!a.isDirectory() && a.size !== b.size) ||
    one.target !== other.target
  );
}
