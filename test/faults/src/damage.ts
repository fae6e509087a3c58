import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What a crash of the host makes of files that were being written. */
export const damages = {
  empty: (file: string) => truncate(file, 0),
  torn: async (file: string) => truncate(file, Math.floor((await stat(file)).size / 2)),
  garbage: async (file: string) => {
    const { length } = await readFile(file);
    await writeFile(file, Buffer.alloc(Math.max(length, 64), 0xa5));
  },
} as const;

export type Damage = keyof typeof damages;

/** Files in which the engine keeps facts: not those of containers, of the database, or that stand for namespaces. */
export async function factFiles(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of ['data', 'run']) {
    for (const entry of await readdir(path.join(directory, place), { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile() && !/\/(diff|merged|work|state-lmdb|netns|runtime-runc\/memory\/runtime)\//.test(file))
        found.push(file);
    }
  }
  return found.sort();
}
