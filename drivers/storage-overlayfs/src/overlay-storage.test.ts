import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import archive from '@gantry/archive-worker-threads';
import { freshDirectory, openDriver, removeDirectory, withService } from '@gantry/conformance';
import { DriverSkipped, EngineError } from '@gantry/core/errors';
import { kernelMounts, Mounts, type OverlayRequest, openKernelMounts } from '@gantry/lib-linux/mounts';
import { ProjectQuotas } from '@gantry/lib-linux/quotas';
import { kernelSELinux, SELinux } from '@gantry/lib-linux/selinux';
import test, { type ExecutionContext } from 'ava';

import overlayfs from './index.js';
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

test('info and inspect show layers and their directories', async (t) => {
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

test('only root can read layers', async (t) => {
  const { driver, dirs } = await open(t);
  await driver.applyLayer({ id: 'a', source: { stream: layerOf('a') } });
  await driver.createWritable({ id: 'w', parent: 'a' });
  for (const path of ['', 'layers', 'layers/a', 'writables', 'writables/w', 'writables/w/merged', 'tmp']) {
    t.is(statSync(join(dirs.root, path)).mode & 0o077, 0, path);
  }
});

test('on an overlay the driver is skipped, with the reason and what to do', async (t) => {
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
  t.regex(
    (error as Error).message,
    /overlayfs cannot be used on .* \(overlayfs\): an overlay cannot be stacked on another overlay.*; move the data root to ext4 or XFS, or choose the vfs driver/,
  );
  t.deepEqual(readdirSync(join(target, 'inner/root/tmp')), []);
});

test('a full disk is reported as unavailable, and nothing stays', async (t) => {
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

test('files and mounts of a crashed process are removed at the next start', async (t) => {
  const root = await directory(t);
  const tmp = join(root, 'root/tmp');
  const names = ['lower', 'upper', 'work', 'merged'].map((name) => join(tmp, 'probe-1', name));
  for (const path of names) mkdirSync(path, { recursive: true });
  const [lower = '', upper = '', work = '', target = ''] = names;
  writeFileSync(join(lower, 'file'), 'x');
  await kernelMounts.overlay({ lower: [lower], upper, work, target });
  const { hooks } = await open(t, root);
  await hooks.stop?.(new AbortController().signal);
  t.deepEqual(readdirSync(tmp), []);
});

test('a writable with foreign mounts on it is unmounted completely', async (t) => {
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

for (const [way, probe] of [
  ['layer by layer', () => true],
  ['with options in one page', () => false],
] as const) {
  test(`a writable on 130 layers is mounted ${way}`, async (t) => {
    const services = [withService(Mounts, openKernelMounts(probe))];
    const { driver, release } = await openDriver(overlayfs, { requires: [archive], services });
    const id = (layer: number) => `${layer}`.padStart(64, '0');
    for (let layer = 0; layer < 130; layer++) {
      const parent = layer === 0 ? {} : { parent: id(layer - 1) };
      await driver.applyLayer({ id: id(layer), ...parent, source: { stream: layerOf(`file-${layer}`) } });
    }
    await driver.createWritable({ id: 'w', parent: id(129) });
    t.is(readdirSync(await driver.mount('w')).length, 130);
    await driver.removeWritable('w');
    await release();
  });
}

test('root file systems of remapped containers belong to their root, which alone passes the directories above', async (t) => {
  const range = [{ containerID: 0, hostID: 100_000, size: 65_536 }];
  const idMappings = { uids: range, gids: range };
  const opened = await openDriver(overlayfs, { requires: [archive], idMappings });
  t.teardown(() => opened.release());
  const { driver, dirs } = opened;
  await driver.applyLayer({ id: 'a', source: { stream: layerOf('a') } });
  await driver.createWritable({ id: 'empty' });
  await driver.createWritable({ id: 'w', parent: 'a' });
  for (const id of ['empty', 'w']) {
    const { uid, gid } = statSync(await driver.mount(id));
    t.deepEqual({ uid, gid }, { uid: 100_000, gid: 100_000 }, id);
  }
  t.is(statSync(join(await driver.mount('w'), 'a')).uid, 100_000);
  for (const directory of [dirs.root, join(dirs.root, 'writables'), join(dirs.root, 'writables/w')]) {
    const { uid, gid, mode } = statSync(directory);
    t.deepEqual([uid, gid, mode & 0o777], [0, 100_000, 0o710], directory);
  }
  t.is(statSync(join(dirs.root, 'layers')).mode & 0o777, 0o700);
  await driver.unmount('empty');
  await driver.unmount('w');
});

test('layers have the context that containers may read', async (t) => {
  const relabelled: string[][] = [];
  const selinux: SELinux = {
    ...kernelSELinux,
    containerContexts: async () => ({ process: 'p', file: 'f', image: 'i' }),
    relabelOnce: async (path, context) => void relabelled.push([path, context]),
  };
  const services = [withService(SELinux, selinux)];
  const { dirs, release } = await openDriver(overlayfs, { requires: [archive], services });
  t.deepEqual(relabelled, [[dirs.root, 'i']]);
  await release();
});

test('the label of a container is an option of its mount', async (t) => {
  const requests: OverlayRequest[] = [];
  const services = [
    withService(Mounts, {
      ...kernelMounts,
      // A kernel without SELinux refuses the option.
      overlay: async (request) => {
        requests.push(request);
        if (request.options?.context === undefined) await kernelMounts.overlay(request);
      },
    }),
  ];
  const { driver, release } = await openDriver(overlayfs, { requires: [archive], services });
  await driver.createWritable({ id: 'w' });
  const label = 'system_u:object_r:container_file_t:s0:c1,c2';
  await driver.mount('w', { label });
  t.is(requests.at(-1)?.options?.context, label);
  await release();
});

test('a writable that cannot be created leaves no limit behind', async (t) => {
  const limited: string[] = [];
  const quotas: ProjectQuotas = {
    unavailableReason: () => Promise.resolve(undefined),
    limit: async (place) => void limited.push(place),
    release: async (place) => void limited.splice(limited.indexOf(place), 1),
  };
  const services = [withService(ProjectQuotas, quotas)];
  const { driver, dirs, release } = await openDriver(overlayfs, { requires: [archive], services });
  await driver.applyLayer({ id: 'a', source: { stream: layerOf('a') } });
  await driver.createWritable({ id: 'limited', parent: 'a', size: 2 ** 20 });
  t.is(limited.length, 1);
  rmSync(join(dirs.root, 'layers/a/diff'), { recursive: true });
  await t.throwsAsync(driver.createWritable({ id: 'w', parent: 'a', size: 2 ** 20 }), { message: /ENOENT/ });
  t.is(limited.length, 1);
  await release();
});
