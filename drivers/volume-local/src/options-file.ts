import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';

/** What is kept of a volume beside its content. */
export interface VolumeOptionsFile {
  readonly options: Readonly<Record<string, string>>;
}

/** Writes it whole or not at all, and durably. */
export async function writeOptions(directory: string, options: VolumeOptionsFile['options']): Promise<void> {
  const file = path.join(directory, 'opts.json');
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify({ options } satisfies VolumeOptionsFile));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  await syncDirectory(directory);
}

/** Without the file, or with one that a crash left empty, a volume is a plain directory. */
export async function readOptions(directory: string): Promise<VolumeOptionsFile['options']> {
  try {
    const { options } = JSON.parse(await readFile(path.join(directory, 'opts.json'), 'utf8'));
    return options ?? {};
  } catch {
    return {};
  }
}

/** Makes new names in a directory survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Only root looks into other users' volumes: what they hold is somebody's (CVE-2021-41091). */
export const makePrivate = (directory: string): Promise<string | undefined> =>
  mkdir(directory, { recursive: true, mode: 0o701 });
