import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@gantry/core/errors';
import type { Parts } from '../parts.js';
import { unmountRoot } from '../roots/hold-root.js';
import { isAlive } from '../transitions.js';
import { removeLooseVolumes } from '../verbs/remove.js';

const containerId = /^[0-9a-f]{64}$/;

/**
 * Finds what belongs to no container: writable layers, directories, volumes of creations that were cut off. Nothing
 * must be made meanwhile, so this is done before clients are let in.
 * @returns removes it, in the background, and unmounts what ended containers left mounted. Never rejects.
 */
export async function findOrphans(parts: Parts): Promise<() => Promise<void>> {
  const isStray = (id: string) => containerId.test(id) && !parts.store.has(id);
  const storages = [...parts.storages.entries()].map(([, storage]) => storage);
  const writables = await Promise.all(
    storages.map(async (storage) => (await storage.writables()).map(({ id }) => ({ storage, id }))),
  );
  const strays = writables.flat().filter(({ id }) => isStray(id));
  const directories = (await readdir(parts.root).catch(() => [])).filter(isStray);
  const loose = parts.store.loose().filter(([id]) => !parts.store.setAside().includes(id));
  const idle = [...parts.store.all()].filter(({ record }) => !isAlive(record.state));
  return async () => {
    const attempt = async (what: string, work: () => Promise<void>) => {
      await work().catch((error: unknown) => {
        parts.log.warn({ event: 'container.orphan', what, reason: messageOf(error) }, 'something is left over');
      });
    };
    for (const { storage, id } of strays) await attempt(`writable ${id}`, () => storage.removeWritable(id));
    for (const id of directories) {
      await attempt(id, () => rm(path.join(parts.root, id), { recursive: true, force: true }));
    }
    for (const [id, { volumes }] of loose) await attempt(id, () => removeLooseVolumes(parts, id, volumes));
    for (const container of idle) {
      await attempt(container.id, () =>
        container.queue.run(async () => {
          const { record, isGone } = container;
          if (isGone || isAlive(record.state) || !parts.storages.has(record.storageDriver)) return;
          await unmountRoot(parts, container);
        }),
      );
    }
  };
}
