import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { ConvertedRepositories } from '@gantry/lib-source';
import { orphanedEntries } from './orphaned-entries.js';

interface ImportDirectory {
  readonly root: string;
  /** What a conversion resumes from. */
  readonly scratch: string;
  /** The source's history, as it was converted. */
  readonly converted: string;
}

/** The directories of imports, by id. */
@injectable()
export class ImportDirectories {
  readonly #root: string;

  constructor(
    @inject(PackageDirectories) { root }: PackageDirectories,
    @inject(ConvertedRepositories.token) private readonly converted: ConvertedRepositories,
  ) {
    this.#root = path.join(root, 'imports');
  }

  of(id: number): ImportDirectory {
    const root = path.join(this.#root, String(id));
    return { root, scratch: path.join(root, 'scratch'), converted: path.join(root, 'converted.git') };
  }

  async create(id: number): Promise<void> {
    await mkdir(this.of(id).root, { recursive: true, mode: 0o700 });
  }

  async delete(id: number): Promise<void> {
    await rm(this.of(id).root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Deletes directories without an import, as a crash between the two deletions leaves them. */
  async deleteOrphans(imports: ReadonlySet<number>): Promise<void> {
    for (const name of await orphanedEntries(this.#root, imports)) {
      const orphan = path.join(this.#root, name);
      await this.converted.removeOrphans(path.join(orphan, 'scratch'));
      await rm(orphan, { recursive: true, force: true });
    }
  }
}
