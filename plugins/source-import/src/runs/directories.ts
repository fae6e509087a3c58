import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { KeyedMutex } from '@gantry/core/driver';
import { createRepository } from '@gantry/git-hosting';

/** Where repositories and imports are on the disk. */
export class Directories {
  readonly #making = new KeyedMutex();

  constructor(private readonly root: string) {}

  /** Of a repository that clients read. */
  repository(id: number): string {
    return path.join(this.root, 'repositories', `${id}.git`);
  }

  /** The same, made when it is missing. */
  async madeRepository(id: number): Promise<string> {
    const directory = this.repository(id);
    await this.#making.run(String(id), () => createRepository(directory));
    return directory;
  }

  /** What an import has on the disk: the source's history, as it was converted, and what a conversion needs to go on. */
  import(id: number): { readonly all: string; readonly scratch: string; readonly converted: string } {
    const all = path.join(this.root, 'imports', String(id));
    return { all, scratch: path.join(all, 'scratch'), converted: path.join(all, 'converted.git') };
  }

  async makeImport(id: number): Promise<void> {
    await mkdir(this.import(id).all, { recursive: true, mode: 0o700 });
  }

  async removeImport(id: number): Promise<void> {
    await rm(this.import(id).all, { recursive: true, force: true, maxRetries: 5 });
  }

  async removeRepository(id: number): Promise<void> {
    await rm(this.repository(id), { recursive: true, force: true, maxRetries: 5 });
  }

  /**
   * Removes what belongs to nobody any longer: a crash came between the record and the directory.
   * @param tidyScratch ends what still works there.
   */
  async removeOthers(
    imports: ReadonlySet<number>,
    repositories: ReadonlySet<number>,
    tidyScratch: (scratch: string) => Promise<void>,
  ): Promise<void> {
    for (const id of await this.#strangers('imports', imports)) {
      await tidyScratch(path.join(this.root, 'imports', id, 'scratch'));
      await rm(path.join(this.root, 'imports', id), { recursive: true, force: true });
    }
    for (const name of await this.#strangers('repositories', repositories)) {
      await rm(path.join(this.root, 'repositories', name), { recursive: true, force: true });
    }
  }

  async #strangers(folder: string, known: ReadonlySet<number>): Promise<readonly string[]> {
    const names = await readdir(path.join(this.root, folder)).catch(() => []);
    return names.filter((name) => !known.has(Number.parseInt(name, 10)) || name.endsWith('.new'));
  }
}
