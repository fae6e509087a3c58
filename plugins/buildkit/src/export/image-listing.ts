import { type TarEntry, TarReader } from '@gantry/lib-archive/tar';
import type { FileStat } from '../protocol/messages.js';
import { goModeOf } from '../sessions/go-file-mode.js';

/** What a directory transfer says of each file of an archive, in the order of a walk through directories. */
export async function listArchive(tar: AsyncIterable<Buffer>): Promise<readonly (FileStat & Owner)[]> {
  const stats: (FileStat & Owner)[] = [];
  const reader = new TarReader({
    raw: () => undefined,
    payload: () => undefined,
    end: () => undefined,
    begin: (entry) => {
      const path = pathOf(entry.name);
      if (path !== '' && path !== '.') stats.push(statOf(path, entry));
    },
  });
  for await (const piece of tar) reader.push(piece);
  return stats
    .map((stat) => ({ stat, names: stat.path.split('/') }))
    .sort((a, b) => compareNames(a.names, b.names))
    .map(({ stat }) => stat);
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

/** Without slashes at its ends. */
export const pathOf = (name: string): string => utf8(name).replace(/^(?:\.?\/)+|\/+$/g, '');

function statOf(path: string, entry: TarEntry): FileStat & Owner {
  const isLink = entry.type === 'link' || entry.type === 'symlink';
  return {
    path,
    mode: goModeOf(entry.type, entry.mode),
    uid: entry.uid,
    gid: entry.gid,
    size: entry.type === 'file' ? entry.size : 0,
    modTime: entry.modified.seconds * 1e9 + entry.modified.nanoseconds,
    linkname: isLink ? (entry.type === 'link' ? pathOf(entry.linkName) : utf8(entry.linkName)) : '',
    devmajor: entry.major,
    devminor: entry.minor,
    xattrs: Object.fromEntries([...entry.attributes].map(([name, value]) => [utf8(name), value])),
  };
}

function compareNames(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [left = '', right = ''] = [a[at], b[at]];
    if (left !== right) return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return a.length - b.length;
}
