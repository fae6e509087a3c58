import { rm } from 'node:fs/promises';
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
  await Promise.all(names.map((name) => rm(name, { force: true })));
}
