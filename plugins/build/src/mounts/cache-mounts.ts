import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, KeyedMutex, PackageDirectories } from '@gantry/core/driver';
import type { CacheFacts } from '../contract/cache-facts.js';

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

  /**
   * Runs work with the directory of a cache, which is made when it is absent. A locked one has one user at a time; of a
   * private one a further user at the same time gets another directory.
   */
  async use<T>(
    id: string,
    { sharing, ...owner }: CacheOwner & { readonly sharing: 'shared' | 'private' | 'locked' },
    work: (directory: string) => Promise<T>,
  ): Promise<T> {
    let name = nameOf(id);
    for (let copy = 1; sharing === 'private' && this.#users.has(name); copy++) name = nameOf(`${id}\0${copy}`);
    const run = async (): Promise<T> => {
      this.#users.set(name, (this.#users.get(name) ?? 0) + 1);
      try {
        return await work(await this.#make(name, owner));
      } finally {
        // Its time of change is that of its last use.
        await utimes(join(this.#root, name), new Date(), new Date());
        const left = (this.#users.get(name) ?? 1) - 1;
        if (left === 0) this.#users.delete(name);
        else this.#users.set(name, left);
      }
    };
    return sharing === 'locked' ? this.#locks.run(name, run) : run();
  }

  async list(): Promise<readonly CacheFacts[]> {
    return Promise.all(
      (await this.#names()).map(async (id): Promise<CacheFacts> => {
        const directory = join(this.#root, id);
        const { mtime: lastUsed, birthtime: created } = await stat(directory);
        const size = await this.#archive.treeSize(directory);
        const facts = { id, size, created, lastUsed, isInUse: this.#users.has(id) };
        return { ...facts, type: 'exec.cachemount', description: 'cached mount' };
      }),
    );
  }

  /** Removes a cache unless a step uses it. Resolves to whether it is removed. */
  async remove(id: string): Promise<boolean> {
    if (this.#users.has(id)) return false;
    await this.#archive.removeTree(join(this.#root, id));
    return true;
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

const nameOf = (id: string): string => createHash('sha256').update(id).digest('hex');
