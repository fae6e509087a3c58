import { unlink } from 'node:fs/promises';
import { isFileNotFound } from '../sink/is-file-not-found.js';
import { resumePath, rotatedFiles } from './rotation/log-files.js';

/** Deletes a log with its rotated files. Absent: resolves. */
export async function removeLog(path: string): Promise<void> {
  const rotated = await rotatedFiles(path).catch(() => []);
  const names = [
    path,
    resumePath(path),
    ...rotated.map((file) => file.path),
    ...rotated.map((file) => `${file.path}.gz.tmp`),
  ];
  await Promise.all(names.map(unlinkIfPresent));
}

async function unlinkIfPresent(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isFileNotFound(error)) throw error;
  }
}
