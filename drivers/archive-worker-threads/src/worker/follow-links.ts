import { readlinkSync } from 'node:fs';
import { EngineError } from '@gantry/core/errors';
import { type ByteString, joined, parentOf } from '@gantry/lib-archive/tar';
import { nativePath } from './native-path.js';
import { statusOf } from './status.js';

const maxLinks = 255;

/**
 * Where a path leads inside the root, all links followed. What is not there is taken as written, so that the answer is
 * a path also then. @throws EngineError `invalid-argument` when links lead in circles.
 */
export function followLinks(path: ByteString): ByteString {
  const waiting = path.split('/').reverse();
  let at = '';
  let links = 0;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      at = parentOf(at);
      continue;
    }
    const next = joined(at, part);
    if (statusOf(next)?.isSymbolicLink() !== true) {
      at = next;
      continue;
    }
    if (++links > maxLinks) throw new EngineError('invalid-argument', `/${path}: too many levels of symbolic links`);
    const link = readlinkSync(nativePath(next), 'latin1');
    if (link.startsWith('/')) at = '';
    waiting.push(...link.split('/').reverse());
  }
  return at;
}
