import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

/** The tree without entries. */
export const emptyTree = Buffer.alloc(0);

/** Writes a Git object into a repository, without git. @returns its id. */
export async function writeObject(repository: string, type: 'tree' | 'commit', content: Buffer): Promise<string> {
  const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash('sha1').update(object).digest('hex');
  const directory = join(repository, 'objects', id.slice(0, 2));
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, id.slice(2)), deflateSync(object));
  return id;
}

/** Creates an empty bare repository, or leaves an existing one. */
export async function createBareRepository(repository: string): Promise<void> {
  for (const directory of ['objects', 'refs/heads', 'refs/tags']) {
    await mkdir(join(repository, directory), { recursive: true });
  }
  await writeFile(join(repository, 'HEAD'), 'ref: refs/heads/master\n');
  await writeFile(join(repository, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
}

export async function writeRef(repository: string, name: string, id: string): Promise<void> {
  await mkdir(join(repository, name, '..'), { recursive: true });
  await writeFile(join(repository, name), `${id}\n`);
}
