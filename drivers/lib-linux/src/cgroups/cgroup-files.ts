import { constants, readFileSync } from 'node:fs';
import { readdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isErrno } from '../errors/linux-error.js';

/**
 * The text of a file of a group. Absent, or gone while it was read: undefined. No disk is waited for: to have another thread
 * open, read and close it takes six times as much processor time.
 */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENODEV', 'ENOTDIR', 'EOPNOTSUPP', 'ENOTSUP')) return undefined;
    throw error;
  }
}

/** Some of these files may only be written, and none can be made. */
export async function writeText(path: string, value: string | number): Promise<void> {
  await writeFile(path, `${value}`, { flag: constants.O_WRONLY });
}

/** The groups right below one. Absent: none. */
async function subgroups(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENODEV')) return [];
    throw error;
  }
}

/** Processes of a group and, if asked, of those below. */
export async function processesOf(directory: string, recursive: boolean): Promise<readonly number[]> {
  const text = readText(join(directory, 'cgroup.procs')) ?? '';
  const own = text === '' ? [] : text.split('\n').map(Number);
  if (!recursive) return own;
  const below = await Promise.all((await subgroups(directory)).map((group) => processesOf(group, true)));
  return [...own, ...below.flat()];
}

/** How long a dying process may keep its group busy, in ms. */
const busyFor = 1_000;

/** Removes a group with those below it. Absent: resolves. */
export async function removeTree(directory: string): Promise<void> {
  for (const group of await subgroups(directory)) await removeTree(group);
  const deadline = Date.now() + busyFor;
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      await rmdir(directory);
      return;
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return;
      if (!isErrno(error, 'EBUSY') || Date.now() > deadline) throw error;
    }
    await delay(pause);
  }
}

/** Lines of `name value`, or `name=value` within a line. */
export function parseCounters(text: string | undefined): Readonly<Record<string, number>> {
  const counters: Record<string, number> = {};
  for (const [, name, value] of (text ?? '').matchAll(/([^\s=]+)[ =](\d+)/g)) {
    if (name !== undefined) counters[name] = Number(value);
  }
  return counters;
}
