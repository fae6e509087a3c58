import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StorageDriver } from '@gantry/core/contracts';
import { conflict } from '@gantry/core/errors';
import type { Orphan } from '@gantry/core/plugin';
import type { Layers } from './layers.js';

/** Layers that no image needs and no container stands on. */
export async function findOrphanedLayers(layers: Layers, storage: StorageDriver): Promise<readonly Orphan[]> {
  const orphans = await layers.orphans();
  if (orphans.length === 0) return [];
  const parents = new Map((await storage.layers()).map(({ id, parent }) => [id, parent]));
  const used = new Set<string>();
  for (const { parent } of await storage.writables()) {
    for (let id = parent; id !== undefined; id = parents.get(id)) used.add(id);
  }
  return Promise.all(
    orphans
      .filter(({ id }) => !used.has(id))
      .map(async ({ id }) => ({
        what: 'layer',
        name: id,
        reason: 'no image needs it',
        bytes: await storage.layerSize(id),
        remove: async () => {
          await layers.collect();
          if ((await storage.layers()).some((layer) => layer.id === id)) throw conflict(`layer ${id} is in use`);
        },
      })),
  );
}

/** Archives that were sent, of loads that are over. */
export async function findOrphanedUploads(directory: string, active: ReadonlySet<string>): Promise<readonly Orphan[]> {
  const names = (await readdir(directory)).map((name) => path.join(directory, name));
  return names
    .filter((name) => !active.has(name))
    .map((name) => ({
      what: 'upload',
      name,
      reason: 'its load is over',
      remove: async () => {
        if (!active.has(name)) await rm(name, { recursive: true, force: true });
      },
    }));
}
