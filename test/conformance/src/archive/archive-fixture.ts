import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveDriver } from '@gantry/core/contracts';
import type { Opened } from '../open-driver.js';
import type { Assertions } from '../test-interface.js';

/** Directories of one check, below those of the driver. */
export interface ArchiveFixture {
  readonly driver: ArchiveDriver;
  readonly root: string;
  /** Beside the root, with a file `secret`. */
  readonly outside: string;
  /** One more directory, empty. */
  fresh(name: string): Promise<string>;
  /** Nothing was made, changed or removed outside of the root. */
  isUnharmed(t: Assertions, what?: string): Promise<void>;
}

export async function archiveFixture({ driver, dirs }: Opened<ArchiveDriver>): Promise<ArchiveFixture> {
  const base = join(dirs.root, 'check');
  const [root, outside] = [join(base, 'root'), join(base, 'outside')];
  await mkdir(root, { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'secret');
  return {
    driver,
    root,
    outside,
    async fresh(name) {
      await mkdir(join(base, name));
      return join(base, name);
    },
    async isUnharmed(t, what) {
      t.deepEqual(await readdir(outside), ['secret'], what);
      t.is(await readFile(join(outside, 'secret'), 'utf8'), 'secret', what);
      t.false((await readdir(base)).includes('escaped'), what);
    },
  };
}
