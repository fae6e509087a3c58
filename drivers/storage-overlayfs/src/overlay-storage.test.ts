import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory, removeDirectory } from '@gantry/conformance';
import { DriverSkipped, EngineError } from '@gantry/core/errors';
import { kernelMounts } from '@gantry/lib-linux/mounts';
import test, { type ExecutionContext } from 'ava';

import { layerOf } from './testing/layer.js';
import { openOverlay } from './testing/open-overlay.js';

async function directory(t: ExecutionContext): Promise<string> {
  const path = await freshDirectory();
  t.teardown(() => removeDirectory(path));
  return path;
}

async function open(t: ExecutionContext, root?: string) {
  const opened = await openOverlay(root);
  t.teardown(() => opened.release());
  return opened;
}

test('layers are told as info and inspect show them', async (t) => {
  const { driver, dirs } = await open(t);
  t.like(Object.fromEntries(driver.status()), { 'Supports d_type': 'true', 'Native Overlay Diff': 'true' });
  t.is(driver.status()[0]?.[0], 'Backing Filesystem');
  await driver.applyLayer({ id: 'a', source: { stream: layerOf('a') } });
  await driver.applyLayer({ id: 'b', parent: 'a', source: { stream: layerOf('b') } });
  await driver.createWritable({ id: 'w', parent: 'b' });
  const layers = join(dirs.root, 'layers');
  const writable = join(dirs.root, 'writables/w');
  t.deepEqual(await driver.describe('w', 'writable'), {
    LowerDir: `${layers}/b/diff:${layers}/a/diff`,
    MergedDir: `${writable}/merged`,
    UpperDir: `${writable}/diff`,
    WorkDir: `${writable}/work`,
  });
  t.false('LowerDir' in (await driver.describe('a', 'layer')));
  t.is(await driver.mount('w'), `${writable}/merged`);
  await driver.unmount('w');
});

test('nobody else on the host can look into layers', async (t) => {
  const { driver, dirs } = await open(t);
  await driver.applyLayer({ id: 'a', source: { stream: layerOf('a') } });
  await driver.createWritable({ id: 'w', parent: 'a' });
  for (const path of ['', 'layers', 'layers/a', 'writables', 'writables/w', 'writables/w/merged', 'tmp']) {
    t.is(statSync(join(dirs.root, path)).mode & 0o077, 0, path);
  }
});

test('a driver on a filesystem that cannot carry overlays is left out, with the reason', async (t) => {
  const base = await directory(t);
  const [lower, upper, work, target] = ['lower', 'upper', 'work', 'target'].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [lower, upper, work, target]) mkdirSync(path);
  await kernelMounts.overlay({ lower: [lower], upper, work, target });
  const error = await openOverlay(join(target, 'inner')).catch((thrown: unknown) => thrown);
  t.true(DriverSkipped.is(error), String(error));
  t.regex((error as Error).message, /overlayfs cannot be used on .*\(overlay/);
  t.deepEqual(readdirSync(join(target, 'inner/root/tmp')), []);
});

test('a full disk is told as such, and nothing is left', async (t) => {
  const root = await directory(t);
  await kernelMounts.mount({ source: 'tmpfs', target: root, type: 'tmpfs', data: 'size=3m' });
  const { driver, dirs } = await open(t, join(root, 'inner'));
  const error = await driver
    .applyLayer({ id: 'a', source: { stream: layerOf('big', 8_000_000) } })
    .catch((thrown: unknown) => thrown);
  t.true(EngineError.is(error) && error.kind === 'unavailable', String(error));
  t.regex(String(error), /big: .*no space left/i);
  t.deepEqual(await driver.layers(), []);
  t.deepEqual(readdirSync(join(dirs.root, 'tmp')), []);
  await driver.applyLayer({ id: 'a', source: { stream: layerOf('small') } });
  await driver.removeLayer('a');
});

test('what a crash has left is removed at the next start, mounted or not', async (t) => {
  const root = await directory(t);
  const tmp = join(root, 'root/tmp');
  const names = ['lower', 'upper', 'work', 'merged'].map((name) => join(tmp, 'probe-1', name));
  for (const path of names) mkdirSync(path, { recursive: true });
  const [lower = '', upper = '', work = '', target = ''] = names;
  writeFileSync(join(lower, 'file'), 'x');
  await kernelMounts.overlay({ lower: [lower], upper, work, target });
  const { driver } = await open(t, root);
  await driver.stop?.(AbortSignal.timeout(5000));
  t.deepEqual(readdirSync(tmp), []);
});

test('a writable that others have mounted over is unmounted whole', async (t) => {
  const { driver } = await open(t);
  await driver.applyLayer({ id: 'a', source: { stream: layerOf('a') } });
  await driver.createWritable({ id: 'w', parent: 'a' });
  const target = await driver.mount('w');
  mkdirSync(join(target, 'volume'));
  await kernelMounts.mount({ source: 'tmpfs', target: join(target, 'volume'), type: 'tmpfs' });
  await kernelMounts.mount({ source: 'tmpfs', target, type: 'tmpfs' });
  await driver.removeWritable('w');
  t.deepEqual(await driver.writables(), []);
  t.deepEqual(
    (await kernelMounts.list()).filter((mount) => mount.target.startsWith(target)),
    [],
  );
});
