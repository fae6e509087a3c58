import type { ByteString } from './entry.js';

/**
 * The path an entry means inside the root it is extracted to: no leading or final slash, no `.`, no `..`, which stays
 * at the root. The root itself is the empty string.
 */
export function normalise(name: ByteString): ByteString {
  // Nearly all names of nearly all archives are clean already.
  if (!needsWork.test(name)) return name.endsWith('/') ? name.slice(0, -1) : name;
  const parts: string[] = [];
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const needsWork = /^\/|\/\/|(^|\/)\.{1,2}(\/|$)/;

export const parentOf = (path: ByteString): ByteString => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const lastOf = (path: ByteString): ByteString => path.slice(path.lastIndexOf('/') + 1);

export const joined = (directory: ByteString, name: ByteString): ByteString =>
  directory === '' ? name : `${directory}/${name}`;

/** A name for a message: as UTF-8 where it is that, and short. */
export function printable(name: ByteString): string {
  const shown = Buffer.from(name, 'latin1').toString('utf8');
  return shown.length > 200 ? `${shown.slice(0, 200)}...` : shown;
}
