import { readdir } from 'node:fs/promises';

/** Entries of a directory, named after ids, whose id is unknown or whose creation was interrupted. */
export async function orphanedEntries(directory: string, known: ReadonlySet<number>): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  return names.filter((name) => !known.has(Number.parseInt(name, 10)) || name.endsWith('.new'));
}
