import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import type { Orphan } from '@gantry/core/plugin';

/** The directory that archives are written to while they are loaded. */
@injectable()
export class Uploads {
  readonly #root: string;
  /** Directories of running loads. */
  readonly #active = new Set<string>();

  constructor(@inject(PackageDirectories) directories: PackageDirectories) {
    this.#root = path.join(directories.root, 'uploads');
  }

  /** Removes what an earlier daemon left. */
  async clear(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
  }

  /** Names a directory for one load, which the load creates and removes. */
  reserve(): { readonly directory: string; release(): void } {
    const directory = path.join(this.#root, `load-${randomBytes(8).toString('hex')}`);
    this.#active.add(directory);
    return { directory, release: () => this.#active.delete(directory) };
  }

  /** Directories of loads that have ended. */
  async findOrphans(): Promise<readonly Orphan[]> {
    const directories = (await readdir(this.#root)).map((name) => path.join(this.#root, name));
    return directories
      .filter((directory) => !this.#active.has(directory))
      .map((directory) => ({
        what: 'upload',
        name: directory,
        reason: 'its load is over',
        remove: async () => {
          if (!this.#active.has(directory)) await rm(directory, { recursive: true, force: true });
        },
      }));
  }
}
