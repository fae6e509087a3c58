import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Deletes an engine's directory. @throws Error when something is mounted below it: what is deleted could be the
 * operator's.
 */
export async function removeDirectory(directory: string): Promise<void> {
  const below = `${path.resolve(directory)}/`;
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').map((line) => line.split(' ')[4] ?? '');
  const mounted = mounts.filter((mount) => unescaped(mount).startsWith(below));
  if (mounted.length > 0) throw new Error(`${directory} is kept: ${mounted.join(', ')} is mounted`);
  await rm(directory, { recursive: true, force: true });
}

/** Spaces and backslashes are written as octal numbers. */
const unescaped = (text: string): string =>
  text.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
