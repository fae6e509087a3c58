import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@gantry/lib-source/testing';

/** A Subversion repository with a working copy of all of it. */
export class SubversionFixture {
  private constructor(
    readonly repository: string,
    readonly copy: string,
  ) {}

  static async create(directory: string, name = 'svn'): Promise<SubversionFixture> {
    const repository = join(directory, name);
    const copy = join(directory, `${name}-copy`);
    await run(directory, 'svnadmin', ['create', repository]);
    const fixture = new SubversionFixture(repository, copy);
    await run(directory, 'svn', ['checkout', '-q', fixture.url, copy], { HOME: directory });
    return fixture;
  }

  get url(): string {
    return `file://${this.repository}`;
  }

  svn(...args: string[]): Promise<string> {
    return run(this.copy, 'svn', args, { HOME: this.copy.replace(/\/[^/]*$/, '') });
  }

  /** Writes and adds files, with their directories. */
  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(this.copy, path, '..'), { recursive: true });
      await writeFile(join(this.copy, path), text);
      await this.svn('add', '-q', '--force', '--parents', `${path}@`);
    }
  }

  async commit(author: string, message: string): Promise<void> {
    await this.svn('commit', '-q', '--username', author, '-m', message);
    await this.svn('update', '-q');
  }

  /** Copies a folder of the repository in a revision of its own. */
  async copyFolder(from: string, to: string, author: string, message: string): Promise<void> {
    await this.svn('copy', '-q', `${this.url}/${from}`, `${this.url}/${to}`, '--username', author, '-m', message);
    await this.svn('update', '-q');
  }

  /** Paths and contents of the files of a folder at a revision. */
  async files(folder: string, revision: number): Promise<Readonly<Record<string, string>>> {
    const at = ['-r', String(revision)];
    const url = `${this.url}/${folder.replaceAll(' ', '%20')}@${revision}`;
    const names = (await this.svn('list', '-R', ...at, url))
      .split('\n')
      .filter((name) => name !== '' && !name.endsWith('/'));
    const files: Record<string, string> = {};
    for (const name of names) files[name] = await this.svn('cat', ...at, url.replace(/@\d+$/, `/${name}@${revision}`));
    return files;
  }
}
