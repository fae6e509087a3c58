import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Scope } from '@gantry/test-nodes';

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
  async fill(): Promise<void> {
    const file = await open(this.#filler, 'a');
    try {
      for (let size = 2 ** 20; size >= 512; size /= 2) {
        const piece = Buffer.alloc(size, 1);
        for (;;) {
          const taken = await file.write(piece).catch(() => undefined);
          if (taken === undefined || taken.bytesWritten < size) break;
        }
      }
    } finally {
      await file.close();
    }
  }

  /** Frees them. */
  async empty(): Promise<void> {
    await rm(this.#filler, { force: true });
  }

  get #filler(): string {
    return path.join(this.directory, 'filler');
  }
}
