import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { StorageDriver } from '@gantry/core/contracts';
import { aborts, atOnce, rejects } from '../expectations.js';
import type { Suite } from '../suite.js';
import { apply, inside, seen, successes, treeOf, writable, writableIds } from './support.js';
import { directory, file, tar } from './tar.js';

const simple = tar(file('f', 'content'));

/** Making, mounting and removing writables. */
export function writableChecks(suite: Suite<StorageDriver>): void {
  suite.check('a writable has what its layer has, and keeps what is written to it', async (t, { driver }) => {
    await apply(driver, 'a', simple);
    await writable(driver, 'w', 'a');
    t.deepEqual(await driver.writables(), [{ id: 'w', parent: 'a' }]);
    await inside(driver, 'w', (root) => {
      t.deepEqual(treeOf(root), { f: 'content' });
      writeFileSync(join(root, 'g'), 'new');
      writeFileSync(join(root, 'f'), 'changed');
    });
    t.deepEqual(await inside(driver, 'w', treeOf), { f: 'changed', g: 'new' });
    t.deepEqual(await seen(driver, 'a', treeOf), { f: 'content' });
  });

  suite.check('a writable on nothing is an empty root', async (t, { driver }) => {
    await writable(driver, 'w');
    t.deepEqual(await driver.writables(), [{ id: 'w', parent: undefined }]);
    await inside(driver, 'w', (root) => {
      t.deepEqual(readdirSync(root), []);
      t.is(lstatSync(root).mode & 0o7777, 0o755);
      writeFileSync(join(root, 'f'), 'x');
    });
    t.deepEqual(await inside(driver, 'w', treeOf), { f: 'x' });
  });

  suite.check('writables on one layer do not see each other', async (t, { driver }) => {
    await apply(driver, 'a', tar(directory('d'), file('d/f', 'content')));
    await atOnce(5, (index) => writable(driver, `w${index}`, 'a'));
    await atOnce(5, (index) => inside(driver, `w${index}`, (root) => writeFileSync(join(root, 'd/f'), String(index))));
    for (let index = 0; index < 5; index++) {
      t.deepEqual(await inside(driver, `w${index}`, treeOf), { 'd/': '', 'd/f': String(index) });
    }
  });

  suite.check('layers and writables may have the same ids', async (t, { driver }) => {
    await apply(driver, 'a', simple);
    await writable(driver, 'a', 'a');
    await driver.removeWritable('a');
    t.deepEqual(await seen(driver, 'a', treeOf), { f: 'content' });
  });

  suite.check('mounting a mounted writable gives the same path, and one unmount undoes it', async (t, { driver }) => {
    await apply(driver, 'a', simple);
    await writable(driver, 'w', 'a');
    const paths = await atOnce(20, () => driver.mount('w'));
    t.is(new Set(paths).size, 1);
    t.regex(paths[0] ?? '', /^\//);
    await atOnce(20, () => driver.unmount('w'));
    t.is(await driver.mount('w'), paths[0]);
    await driver.unmount('w');
  });

  suite.check('unmounting what is not mounted, or not there, resolves', async (t, { driver }) => {
    await writable(driver, 'w');
    await driver.unmount('w');
    await driver.unmount('none');
    await rejects(t, driver.mount('none'), 'not-found', /none/);
  });

  suite.check('an id can be taken once, and needs its layer', async (t, { driver }) => {
    await writable(driver, 'w');
    await rejects(t, writable(driver, 'w'), 'conflict', /\bw\b/);
    await rejects(t, writable(driver, 'v', 'none'), 'not-found', /none/);
    t.deepEqual(await writableIds(driver), ['w']);
  });

  suite.check('of 20 that make the same writable at once one succeeds', async (t, { driver }) => {
    await apply(driver, 'a', simple);
    t.is(await successes(Array.from({ length: 20 }, () => writable(driver, 'w', 'a'))), 1);
    t.deepEqual(await inside(driver, 'w', treeOf), { f: 'content' });
  });

  suite.check('20 writables made, mounted and removed at once leave nothing', async (t, { driver }) => {
    await apply(driver, 'a', simple);
    await atOnce(20, (index) => writable(driver, `w${index}`, 'a'));
    t.is((await writableIds(driver)).length, 20);
    const roots = await atOnce(20, (index) => driver.mount(`w${index}`));
    t.is(new Set(roots).size, 20);
    await atOnce(20, (index) => driver.removeWritable(`w${index}`));
    t.deepEqual(await writableIds(driver), []);
    t.deepEqual(
      roots.filter((root) => existsSync(root)),
      [],
    );
  });

  suite.check('a writable is removed with its content, also while it is mounted and in use', async (t, { driver }) => {
    await apply(driver, 'a', simple);
    await writable(driver, 'w', 'a');
    const root = await driver.mount('w');
    writeFileSync(join(root, 'g'), 'x');
    const fd = openSync(join(root, 'g'), 'r');
    try {
      await driver.removeWritable('w');
    } finally {
      closeSync(fd);
    }
    t.deepEqual(await writableIds(driver), []);
    t.false(existsSync(join(root, 'g')));
    await writable(driver, 'w', 'a');
    t.deepEqual(await inside(driver, 'w', treeOf), { f: 'content' });
  });

  suite.check('a busy mount is detached', async (t, { driver }) => {
    await apply(driver, 'a', simple);
    await writable(driver, 'w', 'a');
    const root = await driver.mount('w');
    const fd = openSync(join(root, 'f'), 'r');
    try {
      await driver.unmount('w');
      t.is(readFileSync(fd, 'utf8'), 'content');
    } finally {
      closeSync(fd);
    }
    t.deepEqual(await inside(driver, 'w', treeOf), { f: 'content' });
  });

  suite.check('removing twice, at once or what is not there resolves', async (t, { driver }) => {
    await driver.removeWritable('none');
    await writable(driver, 'w');
    await atOnce(20, () => driver.removeWritable('w'));
    t.deepEqual(await writableIds(driver), []);
    await rejects(t, driver.mount('w'), 'not-found');
  });

  suite.check('a tree of any shape is removed', async (t, { driver }) => {
    await writable(driver, 'w');
    await inside(driver, 'w', (root) => {
      for (let index = 0; index < 200; index++) {
        mkdirSync(join(root, `d${index}/e`), { recursive: true });
        writeFileSync(join(root, `d${index}/e/f`), '');
        symlinkSync('/', join(root, `d${index}/link`));
      }
    });
    await driver.removeWritable('w');
    t.deepEqual(await writableIds(driver), []);
  });

  suite.check('the size of a writable is what was written to it', async (t, { driver }) => {
    await apply(driver, 'a', tar(file('f', Buffer.alloc(100_000))));
    await writable(driver, 'w', 'a');
    t.is(await driver.writableSize('w'), 0);
    await inside(driver, 'w', (root) => writeFileSync(join(root, 'g'), Buffer.alloc(12_345)));
    t.is(await driver.writableSize('w'), 12_345);
    await rejects(t, driver.writableSize('none'), 'not-found');
    await aborts(t, driver.writableSize('w', { signal: AbortSignal.abort() }));
  });

  suite.group({ capability: 'quota', when: (driver) => driver.capabilities.quota }, (limited) => {
    limited.check('a writable does not grow beyond its size', async (t, { driver }) => {
      await driver.createWritable({ id: 'w', size: 1024 * 1024 });
      await inside(driver, 'w', (root) => {
        const error = attempt(() => writeFileSync(join(root, 'f'), Buffer.alloc(4 * 1024 * 1024)));
        t.regex(String(error), /EDQUOT|ENOSPC/);
      });
    });
  });

  suite.group({ capability: 'absence of quota', when: (driver) => !driver.capabilities.quota }, (unlimited) => {
    unlimited.check('a size is refused by a driver without quota', async (t, { driver }) => {
      await rejects(t, driver.createWritable({ id: 'w', size: 1024 * 1024 }), 'not-implemented', /size/);
      t.deepEqual(await writableIds(driver), []);
    });
  });
}

function attempt(action: () => void): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}
