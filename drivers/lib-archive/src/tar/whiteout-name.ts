import { invalidArgument } from '@gantry/core/errors';
import type { ByteString } from './entry.js';
import { lastOf, parentOf } from './names.js';

const prefix = '.wh.';
/** Names that belong to the storage that invented whiteouts, and mean nothing to others. */
const metadataPrefix = '.wh..wh.';

export type Whiteout =
  | { readonly type: 'none' }
  /** The name is to go. */
  | { readonly type: 'deletes'; readonly name: ByteString }
  /** What lies below the directory is to be hidden. */
  | { readonly type: 'opaque' }
  | { readonly type: 'ignored' };

/**
 * What a name means in an image layer. @throws EngineError `invalid-argument` for a whiteout of `.` or `..`, and for
 * something in a directory that looks like one.
 */
export function whiteoutOf(path: ByteString): Whiteout {
  if (!path.includes(prefix)) return { type: 'none' };
  const last = lastOf(path);
  for (const part of parentOf(path).split('/')) {
    if (part.startsWith(metadataPrefix)) return { type: 'ignored' };
    if (part.startsWith(prefix)) throw invalidArgument('a whiteout cannot hold anything');
  }
  if (!last.startsWith(prefix)) return { type: 'none' };
  if (last === '.wh..wh..opq') return { type: 'opaque' };
  if (last.startsWith(metadataPrefix)) return { type: 'ignored' };
  const name = last.slice(prefix.length);
  if (name === '' || name === '.' || name === '..') throw invalidArgument('the whiteout names no entry');
  return { type: 'deletes', name };
}

export const whiteoutName = (name: ByteString): ByteString => prefix + name;

export const opaqueName = '.wh..wh..opq';
