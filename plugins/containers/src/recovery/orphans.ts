import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { StorageDriver } from '@gantry/core/contracts';
import { conflict } from '@gantry/core/errors';
import type { Orphan } from '@gantry/core/plugin';
import type { Parts } from '../parts.js';

const containerId = /^[0-9a-f]{64}$/;

/** Younger ones may belong to a create or a build that runs. */
const oldEnough = 24 * 60 * 60 * 1000;

/** Writable layers and directories of no container, untouched for a day. For `gantryd check`. */
export async function findOrphans(parts: Parts): Promise<readonly Orphan[]> {
  const isStray = (id: string): boolean => containerId.test(id) && !parts.store.has(id);
  const isOld = async (place: string | undefined): Promise<boolean> => {
    const status = place === undefined ? undefined : await stat(place).catch(() => undefined);
    return status !== undefined && Number(parts.clock.now() / 1_000_000n) - status.mtimeMs > oldEnough;
  };
  const found = (what: string, id: string, remove: () => Promise<void>): Orphan => ({
    what,
    name: id,
    reason: 'no container has it',
    remove: async () => {
      if (!isStray(id)) throw conflict(`container ${id} has it`);
      await remove();
    },
  });
  const left: Orphan[] = [];
  for (const [, storage] of parts.storages.entries()) {
    for (const { id } of await storage.writables()) {
      if (!isStray(id) || !(await isOld(await placeOf(storage, id)))) continue;
      left.push(found('writable layer', id, () => storage.removeWritable(id)));
    }
  }
  for (const id of await readdir(parts.root).catch(() => [])) {
    const directory = path.join(parts.root, id);
    if (!isStray(id) || !(await isOld(directory))) continue;
    left.push(found('container directory', id, () => rm(directory, { recursive: true, force: true })));
  }
  return left;
}

/** Where a writable lies, if its driver says so; it may be gone by now. */
const placeOf = async (storage: StorageDriver, id: string): Promise<string | undefined> =>
  (await storage.describe(id, 'writable').catch(() => ({ UpperDir: undefined }))).UpperDir;
