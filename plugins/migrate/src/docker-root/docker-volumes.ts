import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BoltFile } from './bolt-file.js';
import { parseJson, recordOf, textFieldsOf, textOf } from './read-json.js';

export interface DockerVolume {
  readonly name: string;
  readonly driver: string;
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** The directory with its content; undefined for one that is kept elsewhere. */
  readonly content: string | undefined;
}

/** The volumes of a Docker data root: those that its database knows, and directories that it has lost. */
export async function readDockerVolumes(root: string): Promise<readonly DockerVolume[]> {
  const directory = join(root, 'volumes');
  const database = join(directory, 'metadata.db');
  const hasDatabase = await access(database).then(
    () => true,
    () => false,
  );
  const records = hasDatabase ? (await BoltFile.read(database)).bucket('volumes') : new Map<string, Buffer>();
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const directories = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const names = [...new Set([...records.keys(), ...directories])].sort();
  return Promise.all(
    names
      .filter((name) => name !== 'backingFsBlockDev')
      .map(async (name): Promise<DockerVolume> => {
        const bytes = records.get(name);
        const record = bytes === undefined ? {} : parseJson(bytes.toString(), `${database}: ${name}`);
        const driver = textOf(recordOf(record).Driver) || 'local';
        const options = textFieldsOf(recordOf(record).Options);
        const isOwn = driver === 'local' && options.device === undefined && directories.includes(name);
        return {
          name,
          driver,
          options,
          labels: textFieldsOf(recordOf(record).Labels),
          content: isOwn ? join(directory, name, '_data') : undefined,
        };
      }),
  );
}
