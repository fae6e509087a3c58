import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** How far the log has come in the spool, see `ResumeFile`. */
export const resumePath = (path: string): string => path.replace(/\.log$/, '.resume');

/** A file that was put aside: the higher the index, the older. */
export interface RotatedFile {
  readonly index: number;
  readonly path: string;
  readonly isCompressed: boolean;
}

/** The files that were put aside, the newest first. */
export async function rotatedFiles(path: string): Promise<readonly RotatedFile[]> {
  const prefix = path.slice(path.lastIndexOf('/') + 1);
  const directory = path.slice(0, path.lastIndexOf('/'));
  const found = (await readdir(directory)).flatMap((name) => {
    if (!name.startsWith(`${prefix}.`)) return [];
    const [, index, gz] = /^(\d+)(\.gz)?$/.exec(name.slice(prefix.length + 1)) ?? [];
    if (index === undefined) return [];
    return [{ index: Number(index), path: join(directory, name), isCompressed: gz !== undefined }];
  });
  return found.sort((one, other) => one.index - other.index);
}
