import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, KeyedMutex, PackageDirectories } from '@gantry/core/driver';

interface CacheOwner {
  readonly mode: number | undefined;
  readonly uid: number;
  readonly gid: number;
}

/** Directories that `RUN --mount=type=cache` keeps between builds, by the id of the cache. */
@injectable()
export class CacheMounts {
  readonly #archive: ArchiveDriver;
  readonly #root: string;
  readonly #users = new Map<string, number>();
  readonly #locks = new KeyedMutex();

  constructor(
    @inject(ArchiveDrivers.token) archives: DriverSet<ArchiveDriver>,
    @inject(PackageDirectories) directories: PackageDirectories,
  ) {
    this.#archive = archives.get();
    this.#root = join(directories.root, 'cache-mounts');
  }

  /** Runs work with the directory of a cache, which is made when it is absent. A locked one has one user at a time. */
  async use<T>(
    id: string,
    { locked, ...owner }: CacheOwner & { readonly locked: boolean },
    work: (directory: string) => Promise<T>,
  ): Promise<T> {
    const name = createHash('sha256').update(id).digest('hex');
    const run = async (): Promise<T> => {
      this.#users.set(name, (this.#users.get(name) ?? 0) + 1);
      try {
        return await work(await this.#make(name, owner));
      } finally {
        const left = (this.#users.get(name) ?? 1) - 1;
        if (left === 0) this.#users.delete(name);
        else this.#users.set(name, left);
      }
    };
    return locked ? this.#locks.run(name, run) : run();
  }

  /** Removes the caches that no step uses. Resolves to their names and the bytes of their files. */
  async prune(): Promise<{ readonly names: readonly string[]; readonly bytes: number }> {
    const names = (await this.#names()).filter((name) => !this.#users.has(name));
    let bytes = 0;
    for (const name of names) {
      bytes += await this.#archive.treeSize(join(this.#root, name));
      if (!this.#users.has(name)) await this.#archive.removeTree(join(this.#root, name));
    }
    return { names, bytes };
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#root);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  async #make(name: string, { mode = 0o755, uid, gid }: CacheOwner): Promise<string> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const directory = join(this.#root, name);
    try {
      await mkdir(directory);
      await chown(directory, uid, gid);
      await chmod(directory, mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return directory;
  }
}
