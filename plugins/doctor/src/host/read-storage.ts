import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Mounts } from '@gantry/lib-linux/mounts';
import type { StorageFacts } from './host-facts.js';
import type { HostSettings } from './host-settings.js';

export async function readStorage(mounts: Mounts, { dataRoot }: HostSettings): Promise<StorageFacts> {
  const directory = await nearestDirectory(resolve(dataRoot));
  const [status, table] = await Promise.all([mounts.statfs(directory), mounts.list()]);
  const { type, totalBytes, availableBytes, totalFiles, freeFiles } = status;
  // The mount with the longest target holds it; of several at one target the last one.
  const holding = table
    .filter(({ target }) => target === '/' || directory === target || directory.startsWith(`${target}/`))
    .reduce((best, each) => (each.target.length >= best.target.length ? each : best), table[0] ?? missingMount);
  const isReadOnly = [...holding.options, ...holding.superOptions].includes('ro');
  return { dataRoot, directory, filesystem: type, isReadOnly, totalBytes, availableBytes, totalFiles, freeFiles };
}

const missingMount = { target: '', options: [] as readonly string[], superOptions: [] as readonly string[] };

async function nearestDirectory(path: string): Promise<string> {
  const isThere = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere || path === '/' ? path : nearestDirectory(dirname(path));
}
