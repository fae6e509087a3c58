import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { type DirectoryLock, lockDirectory } from '../engine/lock-directory.js';

interface RunDirectory {
  readonly directory: string;
  readonly lock: DirectoryLock;
}

/** As many commands may run side by side, each with images of its own. */
const most = 64;

/** A directory that no other `gantry run` uses now: usually the first, in which images are kept from run to run. */
export async function runDirectory(base = defaultBase()): Promise<RunDirectory> {
  for (let number = 0; number < most; number += 1) {
    const directory = path.join(base, String(number));
    await mkdir(directory, { recursive: true, mode: 0o711 });
    const lock = await lockDirectory(directory, 'run');
    if (lock === undefined) continue;
    if (await isFree(directory)) return { directory, lock };
    await lock.release();
  }
  throw new Error(`${most} commands run already in ${base}`);
}

/** Not while what a killed command left there is ended. */
async function isFree(directory: string): Promise<boolean> {
  const lock = await lockDirectory(directory, 'engine');
  await lock?.release();
  return lock !== undefined;
}

/** Of an ordinary user it is below the home directory. */
function defaultBase(): string {
  if (process.env.GANTRY_ROOTLESS === undefined) return '/var/lib/gantry-run';
  return path.join(process.env.XDG_DATA_HOME ?? path.join(homedir(), '.local/share'), 'gantry-run');
}
