import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../files/replace-file.js';

/** Drivers of the configuration, in a file that is gone after a reboot, as are containers that run. */
const fileIn = (execRoot: string): string => path.join(execRoot, 'drivers.json');

/** The configured drivers of the daemon before, such as `volume/local`; none when it is unknown. */
export async function readPreviousDrivers(execRoot: string): Promise<readonly string[]> {
  try {
    const drivers: unknown = JSON.parse(await readFile(fileIn(execRoot), 'utf8'));
    return Array.isArray(drivers) ? drivers.map(String) : [];
  } catch {
    // A first start, or a damaged file: nothing is known to have been removed.
    return [];
  }
}

export async function writePreviousDrivers(execRoot: string, drivers: readonly string[]): Promise<void> {
  await replaceFile(fileIn(execRoot), `${JSON.stringify(drivers)}\n`, { mode: 0o600 });
}
