import type { PathChange } from '@gantry/core/contracts';
import { containerMark } from '../mounts/mark-root.js';

/** Places the engine mounts something at, and the mark of a container; where an image lacks one, a start makes it. */
const places = new Set([
  containerMark,
  '/dev',
  '/dev/console',
  '/dev/mqueue',
  '/dev/pts',
  '/dev/shm',
  '/etc',
  '/etc/hostname',
  '/etc/hosts',
  '/etc/resolv.conf',
  '/proc',
  '/sys',
]);

export const isOwnPlace = (path: string): boolean => places.has(path);

/**
 * Leaves out what a start itself has changed: nothing a container does can be seen at those places, for something is
 * mounted there. A directory stays when anything else in it has changed. `changes` is sorted by path.
 */
export function withoutOwnPlaces(changes: readonly PathChange[]): readonly PathChange[] {
  const kept: PathChange[] = [];
  const left = new Set<string>();
  // From the end, so that what is in a directory comes before it.
  for (const change of changes.toReversed()) {
    const { path, kind } = change;
    if (kind === 'deleted' || !places.has(path) || left.has(path) || (path === '/etc' && !hasOwnFile(changes))) {
      kept.push(change);
      left.add(parentOf(path));
    }
  }
  return kept.reverse();
}

/** Without one of them it was not the engine that changed the directory. */
const hasOwnFile = (changes: readonly PathChange[]): boolean =>
  changes.some(({ path }) => /^\/etc\/./.test(path) && places.has(path));

const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));
