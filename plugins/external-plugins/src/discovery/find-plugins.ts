import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FoundPlugin } from './address-of.js';

export interface PluginDirectories {
  readonly sockets: readonly string[];
  readonly specs: readonly string[];
}

/** Plugins by name. Sockets take precedence over address files, and directories in the order of the list. */
export async function findPlugins({ sockets, specs }: PluginDirectories): Promise<ReadonlyMap<string, FoundPlugin>> {
  const lists = await Promise.all([...sockets.map(findSockets), ...specs.map(findSpecs)]);
  const found = new Map<string, FoundPlugin>();
  for (const plugin of lists.flat()) if (!found.has(plugin.name)) found.set(plugin.name, plugin);
  return found;
}

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);

async function findSockets(directory: string): Promise<readonly FoundPlugin[]> {
  const found = await Promise.all(
    (await namesIn(directory)).map(async (entry): Promise<FoundPlugin | undefined> => {
      const isOwn = entry.endsWith('.sock');
      const name = isOwn ? entry.slice(0, -'.sock'.length) : entry;
      const file = isOwn ? path.join(directory, entry) : path.join(directory, entry, `${entry}.sock`);
      const status = await stat(file).catch(() => undefined);
      if (status?.isSocket() !== true || name === '') return undefined;
      return { name, file, kind: 'sock', socket: `${status.dev} ${status.ino} ${status.ctimeMs}` };
    }),
  );
  return found.flatMap((plugin) => plugin ?? []);
}

async function findSpecs(directory: string): Promise<readonly FoundPlugin[]> {
  return (await namesIn(directory)).flatMap((entry): readonly FoundPlugin[] => {
    const [, name, kind] = /^(.+)\.(spec|json)$/.exec(entry) ?? [];
    if (name === undefined) return [];
    return [{ name, file: path.join(directory, entry), kind: kind === 'spec' ? 'spec' : 'json' }];
  });
}
