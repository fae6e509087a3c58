import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Scope } from '@gantry/test-nodes';
import { freeSpace, takeSpace } from './disk-space.js';

const run = promisify(execFile);

/** A disk of its own, for a data root, that can be filled and emptied. */
export class SmallDisk {
  private constructor(readonly directory: string) {}

  static async mount(scope: Scope, mebibytes: number): Promise<SmallDisk> {
    const directory = await mkdtemp(path.join(tmpdir(), 'gantry-small-'));
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'gantry-small', directory]);
    scope.teardown(async () => {
      await run('umount', [directory]);
      await rmdir(directory);
    });
    return new SmallDisk(directory);
  }

  /** Takes every byte there is. */
  fill(): Promise<void> {
    return takeSpace(this.directory);
  }

  /** Frees them. */
  empty(): Promise<void> {
    return freeSpace(this.directory);
  }
}
