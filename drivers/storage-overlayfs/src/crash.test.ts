import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDirectory, removeDirectory, until } from '@gantry/conformance';
import type { StorageDriver } from '@gantry/core/contracts';
import test, { type ExecutionContext } from 'ava';

import { layerOf } from './testing/layer.js';
import { openOverlay } from './testing/open-overlay.js';

/** What there was before: layer `a`, and a writable `old` on it. */
async function setUp(t: ExecutionContext): Promise<string> {
  const root = await freshDirectory();
  t.teardown(() => removeDirectory(root));
  const { driver, release } = await openOverlay(root);
  await driver.applyLayer({ id: 'a', source: { stream: layerOf('base') } });
  await driver.createWritable({ id: 'old', parent: 'a' });
  await release();
  return root;
}

/** Has another process do something and die. */
async function crash(t: ExecutionContext, root: string, action: string, point: string): Promise<void> {
  const child = fork(new URL('./testing/crashing-daemon.js', import.meta.url), [root, action], {
    env: { ...process.env, GANTRY_CRASH_AT: point },
  });
  t.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
}

/** The next daemon finds all of a thing or nothing, and can go on either way. */
async function checkWhole(t: ExecutionContext, root: string, action: string): Promise<void> {
  const { driver, release } = await openOverlay(root);
  const layers = (await driver.layers()).map(({ id }) => id).sort();
  if (!layers.includes('b')) await driver.applyLayer({ id: 'b', parent: 'a', source: { stream: layerOf('new') } });
  const writables = (await driver.writables()).map(({ id }) => id);
  if (!writables.includes('w')) await driver.createWritable({ id: 'w', parent: 'b' });
  const expected = action === 'writable' && writables.includes('w') ? ['base'] : ['base', 'new'];
  t.deepEqual(await namesIn(driver, 'w'), expected);
  if (writables.includes('old')) {
    t.deepEqual(await namesIn(driver, 'old'), ['base']);
    await driver.removeWritable('old');
  }
  await driver.removeWritable('w');
  await driver.removeLayer('b');
  await driver.removeLayer('a');
  t.deepEqual([await driver.layers(), await driver.writables()], [[], []]);
  await until('nothing of the past is left', async () => (await readdir(join(root, 'root/tmp'))).length === 0);
  await release();
}

async function namesIn(driver: StorageDriver, id: string): Promise<string[]> {
  const names = readdirSync(await driver.mount(id)).sort();
  await driver.unmount(id);
  return names;
}

const points: Readonly<Record<string, readonly string[]>> = {
  layer: ['storage.layer.extracted', 'storage.layer.prepared', 'storage.layer.added', 'after'],
  writable: ['storage.writable.prepared', 'storage.writable.added', 'after'],
  remove: ['storage.writable.taken', 'after'],
};

for (const [action, names] of Object.entries(points)) {
  for (const point of names) {
    test(`killed at ${point} of a ${action}, the next start finds all of it or nothing`, async (t) => {
      const root = await setUp(t);
      await crash(t, root, action, point);
      await checkWhole(t, root, action);
    });
  }
}
