import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

const libraries = '/usr/lib';

/**
 * The environment of an engine whose clock is so many seconds ahead of the host's, or behind it: Debian's `faketime` shows it
 * to everything that the engine starts, but for programs without shared libraries, as etcd is. What measures durations goes
 * as everywhere.
 */
export async function otherClock(seconds: number): Promise<Readonly<Record<string, string>>> {
  for (const name of await readdir(libraries)) {
    const library = path.join(libraries, name, 'faketime/libfaketimeMT.so.1');
    if (!existsSync(library)) continue;
    return {
      LD_PRELOAD: library,
      FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }
  throw new Error('another clock takes libfaketimeMT.so.1, of the Debian package faketime');
}
