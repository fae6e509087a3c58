import { readdir, readFile } from 'node:fs/promises';
import { ifPresent } from '../if-present.js';

/**
 * The processes that were started for a bundle in this directory or below: monitors, and runtimes on their behalf.
 * Scans all processes of the host, so it is only used for what a crash orphaned.
 */
export async function processesOfBundle(directory: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = (await ifPresent(readFile(`/proc/${name}/cmdline`, 'utf8'))) ?? '';
    if (isForBundle(text.split('\0'), directory)) found.push(Number(name));
  }
  return found;
}

function isForBundle(args: readonly string[], directory: string): boolean {
  const bundle = args[args.indexOf('--bundle') + 1] ?? '';
  return args.includes('--bundle') && (bundle === directory || bundle.startsWith(`${directory}/`));
}
