import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { AppliedLayer, LayerRequest, StorageDriver } from '@gantry/core/contracts';

/** A layer source as a network gives it: in pieces that fit nothing. */
export const streamOf = (bytes: Uint8Array): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 7001) yield bytes.subarray(at, at + 7001);
    })(),
    { objectMode: false },
  );

/** Applies an archive as a layer. */
export const apply = (
  driver: StorageDriver,
  id: string,
  archive: Uint8Array,
  parent?: string,
  more: Partial<LayerRequest> = {},
): Promise<AppliedLayer> =>
  driver.applyLayer({ id, source: { stream: streamOf(archive) }, ...(parent !== undefined && { parent }), ...more });

/** Makes a writable. */
export const writable = (driver: StorageDriver, id: string, parent?: string): Promise<void> =>
  driver.createWritable({ id, ...(parent !== undefined && { parent }) });

/** Does something in a mounted writable, and unmounts it. */
export async function inside<T>(
  driver: StorageDriver,
  id: string,
  action: (root: string) => T | Promise<T>,
): Promise<T> {
  const root = await driver.mount(id);
  try {
    return await action(root);
  } finally {
    await driver.unmount(id);
  }
}

/** Looks at a layer as a container on it would see it. */
export async function seen<T>(
  driver: StorageDriver,
  layer: string,
  look: (root: string) => T | Promise<T>,
): Promise<T> {
  await writable(driver, 'looking', layer);
  try {
    return await inside(driver, 'looking', look);
  } finally {
    await driver.removeWritable('looking');
  }
}

/** Everything below a directory: paths, and what files hold. */
export function treeOf(root: string, below = ''): Record<string, string> {
  return Object.fromEntries(
    readdirSync(join(root, below), { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry): [string, string][] => {
        const path = join(below, entry.name);
        if (entry.isDirectory()) return [[`${path}/`, ''], ...Object.entries(treeOf(root, path))];
        return [[path, entry.isFile() ? readFileSync(join(root, path), 'utf8') : '']];
      }),
  );
}

export async function bytesOf(stream: Promise<Readable>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await stream) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Ids of the layers, sorted. */
export const layerIds = async (driver: StorageDriver): Promise<string[]> =>
  (await driver.layers()).map(({ id }) => id).sort();

/** Ids of the writables, sorted. */
export const writableIds = async (driver: StorageDriver): Promise<string[]> =>
  (await driver.writables()).map(({ id }) => id).sort();

/** How many of the promises resolve. */
export const successes = async (promises: readonly Promise<unknown>[]): Promise<number> =>
  (await Promise.allSettled(promises)).filter(({ status }) => status === 'fulfilled').length;
