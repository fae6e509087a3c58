import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { ListedEntry, TreeListing } from '@gantry/core/contracts';
import { IgnoreFile } from '../ignore/ignore-file.js';
import { cleanPath, patternToExpression } from '../ignore/pattern.js';

/** A part of a directory. */
interface Selection {
  /** By path below the directory, which itself is not named. */
  readonly keeps: (path: string) => boolean;
  readonly digest: string;
}

/** What of a directory the patterns of `--exclude` do not match. */
export function withoutExcluded({ entries }: TreeListing, excluded: readonly string[]): Selection {
  const ignored = new IgnoreFile(excluded.join('\n'));
  return selectionOf(entries, (path) => !ignored.leavesOut(path));
}

/** What of one directory or file `--parents` copies, with the directories above it. */
interface NestedSource extends Selection {
  /** The first component of its path. */
  readonly name: string;
  readonly mode: number;
}

/** The sources that a pattern of `--parents` names, by their first components. Paths are relative to the listing. */
export function nestedSources(
  { entries }: TreeListing,
  pattern: string,
  excluded: readonly string[],
): readonly NestedSource[] {
  const expression = patternToExpression(cleanPath(pattern), { takesBelow: true });
  const ignored = new IgnoreFile(excluded.join('\n'));
  const matched = entries.filter(({ path }) => path !== '' && expression.test(path) && !ignored.leavesOut(path));
  const names = [...new Set(matched.map(({ path }) => path.split('/', 1)[0] ?? ''))];
  const paths = new Set(matched.map(({ path }) => path));
  return names.map((name) => {
    const inside = entries.flatMap((entry) => {
      if (entry.path !== name && !entry.path.startsWith(`${name}/`)) return [];
      return [{ ...entry, path: entry.path.slice(name.length + 1) }];
    });
    return {
      name,
      mode: inside[0]?.mode ?? 0,
      ...selectionOf(inside, (path) => paths.has(posix.join(name, path))),
    };
  });
}

/** `a/./b`: what is in front of the pivot is not made in the destination. */
export function splitPivot(path: string): { readonly base: string; readonly pattern: string } {
  const written = path.replace(/^\/+/, '').replace(/^(?:\.\/)+/, '');
  const at = written.indexOf('/./');
  if (at < 0) return { base: '', pattern: written };
  return { base: cleanPath(written.slice(0, at)), pattern: written.slice(at + 3) };
}

function selectionOf(entries: readonly ListedEntry[], isSelected: (path: string) => boolean): Selection {
  const kept = new Set<string>(['']);
  for (const { path } of entries) {
    if (!isSelected(path)) continue;
    kept.add(path);
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) kept.add(path.slice(0, at));
  }
  const hash = createHash('sha256');
  for (const { path, digest } of entries) {
    if (kept.has(path) && (path !== '' || entries.length === 1)) hash.update(`${path}\0${digest}\0`);
  }
  return { keeps: (path) => kept.has(path), digest: hash.digest('hex') };
}
