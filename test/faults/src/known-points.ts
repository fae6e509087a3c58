import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * All crash points of the sources, sorted. The suite compares them with those that its scenarios reach.
 * @throws Error for a name that is used twice or is not a literal.
 */
export async function knownPoints(): Promise<readonly string[]> {
  const found = new Map<string, string>();
  for (const file of await sources()) {
    const text = await readFile(path.join(root, file), 'utf8');
    for (const [call, name] of text.matchAll(/\bcrashPoint\((?:'([a-z0-9.-]+)'\))?/g)) {
      if (name === undefined) throw new Error(`${file}: "${call}" names no point by a literal`);
      const other = found.get(name);
      if (other !== undefined) throw new Error(`${file}: the point ${name} is in ${other}, too`);
      found.set(name, file);
    }
  }
  return [...found.keys()].sort();
}

async function sources(): Promise<readonly string[]> {
  const files: string[] = [];
  for (const group of ['core/src', 'drivers/*/src', 'plugins/*/src']) {
    for (const directory of await directories(group)) {
      for (const file of await readdir(path.join(root, directory), { recursive: true })) {
        const isSource = /\.ts$/.test(file) && !/\.test\.ts$|(^|\/)testing\//.test(file);
        if (isSource) files.push(path.join(directory, file));
      }
    }
  }
  return files;
}

/** The source directories of a group of packages. A package may hold links, to itself too, beside its sources. */
async function directories(group: string): Promise<readonly string[]> {
  const [parent = '', below] = group.split('/*/');
  if (below === undefined) return [group];
  const names = await readdir(path.join(root, parent));
  return names
    .map((name) => path.join(parent, name, below))
    .filter((directory) => existsSync(path.join(root, directory)));
}
