import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout } from './layout.js';

/** Longest path that leaves room for the socket's own name in an address. */
const longestDirectory = 80;

/**
 * A directory of one monitor's own for the socket its terminal comes through, which the monitor leaves behind when the
 * runtime fails. Undefined when the path would be too long for a socket: the monitor then uses the host's temporary
 * directory.
 */
export async function consoleDirectory(layout: Layout): Promise<string | undefined> {
  const prefix = join(layout.consoles, '/');
  if (prefix.length > longestDirectory) return undefined;
  await mkdir(layout.consoles, { recursive: true, mode: 0o700 });
  return mkdtemp(prefix);
}

export async function removeConsoleDirectory(directory: string | undefined): Promise<void> {
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
}
