import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { StorageDriver } from '@gantry/core/contracts';
import { rejects } from '../expectations.js';
import type { Suite } from '../suite.js';
import { apply, bytesOf, digestOf, inside, layerIds, seen, treeOf, writable, writableIds } from './support.js';
import { file, tar } from './tar.js';

const simple = tar(file('f', 'content'));

/** What the next daemon finds. */
export function recoveryChecks(suite: Suite<StorageDriver>): void {
  suite.check('layers and writables survive a stop and a start', async (t, opened) => {
    await apply(opened.driver, 'a', simple);
    await apply(opened.driver, 'b', tar(file('g')), 'a');
    await writable(opened.driver, 'w', 'b');
    await inside(opened.driver, 'w', (root) => writeFileSync(join(root, 'h'), 'mine'));
    const { driver } = await opened.reopen();
    t.deepEqual(await layerIds(driver), ['a', 'b']);
    t.deepEqual(await driver.writables(), [{ id: 'w', parent: 'b' }]);
    t.deepEqual(await inside(driver, 'w', treeOf), { f: 'content', g: 'g', h: 'mine' });
    t.is(digestOf(await bytesOf(driver.layerTar('a'))), digestOf(simple));
    t.is(await driver.layerSize('a'), 7);
    await rejects(t, driver.removeLayer('a'), 'conflict');
    await rejects(t, driver.removeLayer('b'), 'conflict');
    await rejects(t, apply(driver, 'a', simple), 'conflict');
  });

  suite.check('mounts survive the death of the daemon and are found again', async (t, opened) => {
    await apply(opened.driver, 'a', simple);
    await writable(opened.driver, 'w', 'a');
    const root = await opened.driver.mount('w');
    writeFileSync(join(root, 'g'), 'before');
    const { driver } = await opened.reopen({ crash: true });
    t.deepEqual(treeOf(root), { f: 'content', g: 'before' });
    t.is(await driver.mount('w'), root);
    t.deepEqual(treeOf(root), { f: 'content', g: 'before' });
    await driver.unmount('w');
    await driver.removeWritable('w');
    t.deepEqual(await writableIds(driver), []);
  });

  suite.check('a mounted writable of a dead daemon can be removed', async (t, opened) => {
    await writable(opened.driver, 'w');
    await opened.driver.mount('w');
    const { driver } = await opened.reopen({ crash: true });
    await driver.removeWritable('w');
    t.deepEqual(await writableIds(driver), []);
  });

  suite.check('what a crash left half applied is gone, and its id is free', async (t, opened) => {
    await apply(opened.driver, 'a', simple);
    const stream = new PassThrough();
    stream.write(simple.subarray(0, 700));
    const applying = opened.driver.applyLayer({ id: 'b', parent: 'a', source: { stream } }).catch(() => undefined);
    const { driver } = await opened.reopen({ crash: true });
    t.deepEqual(await layerIds(driver), ['a']);
    await apply(driver, 'b', tar(file('g', 'new')), 'a');
    t.deepEqual(await seen(driver, 'b', treeOf), { f: 'content', g: 'new' });
    stream.destroy();
    await applying;
  });

  suite.check('a reboot takes the mounts, and nothing else', async (t, opened) => {
    await apply(opened.driver, 'a', simple);
    await writable(opened.driver, 'w', 'a');
    writeFileSync(join(await opened.driver.mount('w'), 'g'), 'kept');
    const { driver } = await opened.reopen({ reboot: true });
    t.deepEqual(await writableIds(driver), ['w']);
    t.deepEqual(await inside(driver, 'w', treeOf), { f: 'content', g: 'kept' });
  });
}
