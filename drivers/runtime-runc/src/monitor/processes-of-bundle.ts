import { readdir, readFile } from 'node:fs/promises';
import { ifPresent } from '../if-present.js';

/**
 * The processes that were started for a bundle in this directory or below: monitors, runtimes on their behalf, and what those have
 * started in turn: a runtime may be a script. Scans all processes of the host, so it is only used for what a crash orphaned.
 */
export async function processesOfBundle(directory: string): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = (await ifPresent(readFile(`/proc/${name}/cmdline`, 'utf8'))) ?? '';
    if (isForBundle(text.split('\0'), directory)) found.add(Number(name));
  }
  for (const pid of found) for (const child of await childrenOf(pid)) found.add(child); // and theirs, which follow
  return [...found];
}

/** Of all its threads. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = (await ifPresent(readdir(`/proc/${pid}/task`))) ?? [];
  const lists = await Promise.all(
    threads.map((thread) => ifPresent(readFile(`/proc/${pid}/task/${thread}/children`, 'utf8'))),
  );
  return lists.flatMap((list) => (list ?? '').split(' ').filter(Boolean).map(Number));
}

function isForBundle(args: readonly string[], directory: string): boolean {
  const bundle = args[args.indexOf('--bundle') + 1] ?? '';
  return args.includes('--bundle') && (bundle === directory || bundle.startsWith(`${directory}/`));
}
