import { cp, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conflict, notFound } from '@gantry/core/errors';
import type { StateSource } from './state-source.js';

/** The records of an engine that does not run: the files of its state driver. */
export async function offlineState(dataRoot: string): Promise<StateSource> {
  const names = (await readdir(join(dataRoot, 'drivers')).catch((): string[] => [])).filter((name) =>
    name.startsWith('state-'),
  );
  const [name, ...others] = names;
  if (name === undefined) throw notFound(`there is no engine's state in ${dataRoot}`);
  if (others.length > 0) {
    throw conflict(`${dataRoot} has the state of several drivers, ${names.join(', ')}: remove what is not used`);
  }
  const path = join('drivers', name);
  return {
    path,
    elsewhere: [],
    async copy() {
      const directory = await mkdtemp(join(tmpdir(), 'gantry-backup-'));
      const release = (): Promise<void> => rm(directory, { recursive: true, force: true });
      try {
        const before = await fingerprint(join(dataRoot, path));
        await cp(join(dataRoot, path), directory, { recursive: true });
        if ((await fingerprint(join(dataRoot, path))) !== before) {
          throw conflict(`a daemon changed ${dataRoot} meanwhile: run the command again`);
        }
        return { directory, release };
      } catch (error) {
        await release();
        throw error;
      }
    },
  };
}

async function fingerprint(directory: string): Promise<string> {
  const names = (await readdir(directory)).sort();
  const statuses = await Promise.all(names.map((name) => lstat(join(directory, name), { bigint: true })));
  return statuses.map(({ ino, size, mtimeNs }, at) => `${names[at]} ${ino} ${size} ${mtimeNs}`).join('\n');
}
