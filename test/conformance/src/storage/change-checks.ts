import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { StorageDriver } from '@gantry/core/contracts';
import { aborts, rejects } from '../expectations.js';
import type { Suite } from '../suite.js';
import { apply, bytesOf, inside, seen, treeOf, writable } from './support.js';
import { directory, file, symlink, tar } from './tar.js';

const base = tar(
  directory('etc'),
  file('etc/passwd', 'root'),
  file('etc/gone', 'x'),
  directory('var'),
  directory('var/log'),
  file('var/log/old', 'x'),
  directory('again'),
  file('again/old', 'x'),
  directory('other'),
  file('other/same', 'x'),
  symlink('link', 'etc'),
);

/** What a writable changed: as a list, and as a layer. */
export function changeChecks(suite: Suite<StorageDriver>): void {
  const listed = async (driver: StorageDriver): Promise<string[]> =>
    (await driver.changes('w')).map(({ kind, path }) => `${kind} ${path}`);

  suite.check('a fresh writable has changed nothing', async (t, { driver }) => {
    await apply(driver, 'a', base);
    await writable(driver, 'w', 'a');
    t.deepEqual(await driver.changes('w'), []);
    await inside(driver, 'w', treeOf);
    t.deepEqual(await driver.changes('w'), []);
    t.deepEqual(await bytesOf(driver.diff('w')), Buffer.alloc(1024));
    await rejects(t, driver.changes('none'), 'not-found', /none/);
    await rejects(t, driver.diff('none'), 'not-found', /none/);
  });

  suite.check(
    'changes are listed in the order of their paths, with the directories they are in',
    async (t, { driver }) => {
      await apply(driver, 'a', base);
      await writable(driver, 'w', 'a');
      await inside(driver, 'w', (root) => {
        writeFileSync(join(root, 'etc/passwd'), 'changed');
        unlinkSync(join(root, 'etc/gone'));
        mkdirSync(join(root, 'new/deep'), { recursive: true });
        writeFileSync(join(root, 'new/deep/file'), 'x');
        rmSync(join(root, 'var'), { recursive: true });
        writeFileSync(join(root, 'ünï'), 'x');
      });
      const expected = [
        'modified /etc',
        'deleted /etc/gone',
        'modified /etc/passwd',
        'added /new',
        'added /new/deep',
        'added /new/deep/file',
        'deleted /var',
        'added /ünï',
      ];
      t.deepEqual(await listed(driver), expected);
      const root = await driver.mount('w');
      t.deepEqual(await listed(driver), expected, 'also while it is mounted');
      writeFileSync(join(root, 'zz'), 'x');
      t.deepEqual(await listed(driver), [...expected.slice(0, -1), 'added /zz', 'added /ünï']);
      await driver.unmount('w');
    },
  );

  suite.check('a directory that was removed and made again has lost what it had', async (t, { driver }) => {
    await apply(driver, 'a', base);
    await writable(driver, 'w', 'a');
    await inside(driver, 'w', (root) => {
      rmSync(join(root, 'again'), { recursive: true });
      mkdirSync(join(root, 'again'));
      writeFileSync(join(root, 'again/new'), 'x');
    });
    t.deepEqual(await listed(driver), ['modified /again', 'added /again/new', 'deleted /again/old']);
  });

  suite.check('a change of owner or mode alone is a change', async (t, { driver }) => {
    await apply(driver, 'a', base);
    await writable(driver, 'w', 'a');
    await inside(driver, 'w', (root) => {
      chmodSync(join(root, 'etc/passwd'), 0o600);
      chownSync(join(root, 'other'), 5, 6);
    });
    t.deepEqual(await listed(driver), ['modified /etc', 'modified /etc/passwd', 'modified /other']);
  });

  suite.check('what was made and removed again is no change', async (t, { driver }) => {
    await apply(driver, 'a', base);
    await writable(driver, 'w', 'a');
    await inside(driver, 'w', (root) => {
      writeFileSync(join(root, 'temporary'), 'x');
      unlinkSync(join(root, 'temporary'));
    });
    t.deepEqual(await listed(driver), []);
  });

  suite.check('changes of a writable on nothing are all additions', async (t, { driver }) => {
    await writable(driver, 'w');
    await inside(driver, 'w', (root) => writeFileSync(join(root, 'f'), 'x'));
    t.deepEqual(await listed(driver), ['added /f']);
  });

  suite.check('the changes are a layer that makes the same tree', async (t, { driver }) => {
    await apply(driver, 'a', base);
    await writable(driver, 'w', 'a');
    await inside(driver, 'w', (root) => {
      writeFileSync(join(root, 'etc/passwd'), 'changed');
      chownSync(join(root, 'etc/passwd'), 7, 3_000_000);
      chmodSync(join(root, 'etc/passwd'), 0o4711);
      unlinkSync(join(root, 'etc/gone'));
      rmSync(join(root, 'var'), { recursive: true });
      rmSync(join(root, 'again'), { recursive: true });
      mkdirSync(join(root, 'again'));
      writeFileSync(join(root, 'again/new'), 'x');
      rmSync(join(root, 'link'));
      mkdirSync(join(root, 'link'));
      renameSync(join(root, 'other/same'), join(root, 'moved'));
      rmSync(join(root, 'other'), { recursive: true });
      writeFileSync(join(root, 'other'), 'now a file');
      writeFileSync(join(root, 'x'.repeat(200)), 'long');
      linkSync(join(root, 'x'.repeat(200)), join(root, 'hard'));
      symlinkSync('../ünï', join(root, 'soft'));
      chmodSync(root, 0o711);
    });
    const diff = await bytesOf(driver.diff('w'));
    await apply(driver, 'b', diff, 'a');

    const [wanted, made] = [await inside(driver, 'w', treeOf), await seen(driver, 'b', treeOf)];
    t.deepEqual(made, wanted);
    await seen(driver, 'b', (root) => {
      const passwd = lstatSync(join(root, 'etc/passwd'));
      t.deepEqual([passwd.uid, passwd.gid, passwd.mode & 0o7777], [7, 3_000_000, 0o4711]);
      t.is(lstatSync(join(root, 'hard')).ino, lstatSync(join(root, 'x'.repeat(200))).ino);
      t.is(lstatSync(root).mode & 0o7777, 0o711);
    });
    t.deepEqual(await bytesOf(driver.diff('w')), diff, 'the same changes give the same bytes');
  });

  suite.check('reading changes can be aborted and stopped', async (t, { driver }) => {
    await writable(driver, 'w');
    await inside(driver, 'w', (root) => writeFileSync(join(root, 'f'), Buffer.alloc(5_000_000)));
    await aborts(t, driver.changes('w', { signal: AbortSignal.abort() }));
    const stream = await driver.diff('w');
    for await (const _ of stream) break;
    t.true(stream.destroyed);
    await driver.removeWritable('w');
  });
}
