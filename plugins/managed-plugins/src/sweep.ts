import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ArchiveDriver, RuntimeDriver } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { type PluginRecord, taskIdOf, taskPrefix } from './record.js';
import { closePlace, type PluginDirectories, placeOf } from './run/place.js';

export interface SweepParts {
  readonly archive: ArchiveDriver;
  readonly directories: PluginDirectories;
  readonly log: Logger;
  readonly runtime: RuntimeDriver;
}

/** FIFOs of an earlier daemon, by plugin: their names, for the plugin to let go of them. */
export type AbandonedLogs = ReadonlyMap<string, readonly string[]>;

/**
 * Takes away what a crash left: tasks, mounts and run directories of plugins that are not enabled, files of those that
 * are not installed, and the FIFOs of all. What cannot be taken away is logged. Plugins whose records could not be read
 * (`unread`, their ids) keep what they have.
 */
export async function sweep(
  parts: SweepParts,
  records: readonly PluginRecord[],
  unread: readonly string[],
): Promise<AbandonedLogs> {
  const { archive, directories, log, runtime } = parts;
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: unknown) => {
      log.warn({ event: 'plugin.orphan', what, reason: messageOf(error) }, 'something is left over');
    });
  };
  const enabled = records.filter((record) => record.enabled);
  const kept = new Set([...enabled.map(({ id }) => id), ...unread]);
  const tasks = new Set([...kept].map((id) => taskIdOf({ id })));
  for (const { id } of await runtime.tasks()) {
    if (id.startsWith(taskPrefix) && !tasks.has(id)) await attempt(id, () => runtime.delete(id, { force: true }));
  }
  const installed = new Set(records.map(({ id }) => id));
  for (const entry of await readdir(directories.root)) {
    if (kept.has(entry)) continue;
    await attempt(entry, async () => {
      const place = placeOf(directories, entry);
      await closePlace(place);
      if (!installed.has(entry)) await archive.removeTree(place.directory);
    });
  }
  const runs = new Set([...kept].map((id) => path.basename(placeOf(directories, id).run)));
  for (const entry of await readdir(directories.state)) {
    if (!runs.has(entry)) await attempt(entry, () => rm(path.join(directories.state, entry), { recursive: true }));
  }
  return new Map(await Promise.all(enabled.map((record) => abandonedLogs(directories, record))));
}

async function abandonedLogs(
  directories: PluginDirectories,
  { id }: PluginRecord,
): Promise<readonly [string, readonly string[]]> {
  const { logs } = placeOf(directories, id);
  const names = await readdir(logs).catch(() => []);
  await Promise.all(names.map((name) => rm(path.join(logs, name), { force: true })));
  return [id, names];
}
