import { rm } from 'node:fs/promises';
import path from 'node:path';
import { inject, injectable, KeyedMutex, PackageDirectories } from '@gantry/core/driver';
import { GitHosting } from '@gantry/lib-git-hosting';
import { orphanedEntries } from './orphaned-entries.js';

/** The Git repositories that clients read, by id. */
@injectable()
export class HostedRepositories {
  readonly #root: string;
  readonly #creations = new KeyedMutex();

  constructor(
    @inject(PackageDirectories) { root }: PackageDirectories,
    @inject(GitHosting.token) private readonly git: GitHosting,
  ) {
    this.#root = path.join(root, 'repositories');
  }

  pathOf(id: number): string {
    return path.join(this.#root, `${id}.git`);
  }

  /** The repository's path; an empty repository is created when there is none. */
  async ensure(id: number): Promise<string> {
    const directory = this.pathOf(id);
    await this.#creations.run(String(id), () => this.git.create(directory));
    return directory;
  }

  async hasWorkflows(id: number): Promise<boolean> {
    return this.git.hasWorkflows(await this.ensure(id));
  }

  async delete(id: number): Promise<void> {
    await rm(this.pathOf(id), { recursive: true, force: true, maxRetries: 5 });
  }

  /** Deletes repositories without a record, as a crash between the two deletions leaves them. */
  async deleteOrphans(repositories: ReadonlySet<number>): Promise<void> {
    for (const name of await orphanedEntries(this.#root, repositories)) {
      await rm(path.join(this.#root, name), { recursive: true, force: true });
    }
  }
}
