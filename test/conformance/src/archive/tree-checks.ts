import { link, lstat, mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ArchiveDriver } from '@gantry/core/contracts';
import { aborts, rejects } from '../expectations.js';
import { streamOf } from '../storage/support.js';
import type { Suite } from '../suite.js';
import { type ArchiveFixture, archiveFixture } from './archive-fixture.js';

/** `d/a`, `d/sub/b`, `link` to `/d`, `out` to outside, and `hard`, which is `d/a` once more. */
async function plant({ root, outside }: ArchiveFixture): Promise<void> {
  await mkdir(join(root, 'd/sub'), { recursive: true });
  await writeFile(join(root, 'd/a'), 'aa');
  await writeFile(join(root, 'd/sub/b'), 'bbb');
  await symlink('/d', join(root, 'link'));
  await symlink(outside, join(root, 'out'));
  await link(join(root, 'd/a'), join(root, 'hard'));
}

async function pathsOf(driver: ArchiveDriver, root: string): Promise<readonly string[]> {
  return (await driver.listTree(root, '/')).entries.map(({ path }) => path);
}

export function treeChecks(suite: Suite<ArchiveDriver>): void {
  suite.check('what is at a path is found without leaving the root', async (t, opened) => {
    const fixture = await archiveFixture(opened);
    const { driver, root } = fixture;
    await plant(fixture);
    const { name, size, linkTarget } = await driver.statInRoot(root, 'link/a');
    t.deepEqual({ name, size, linkTarget }, { name: 'a', size: 2, linkTarget: '' });
    t.is((await driver.statInRoot(root, '/link')).linkTarget, '/d');
    await rejects(t, driver.statInRoot(root, '/out/secret'), 'not-found');
    await rejects(t, driver.statInRoot(root, '/nothing'), 'not-found');
    await rejects(t, driver.statInRoot(root, '/d/a/'), 'invalid-argument');
    const { path, existing, mode } = await driver.resolveInRoot(root, 'link/none/x');
    t.deepEqual({ path, existing, mode }, { path: 'd/none/x', existing: 'd', mode: undefined });
    t.is((await driver.resolveInRoot(root, '/../..')).path, '');
  });

  suite.check('a tree is packed under a name and extracted again', async (t, opened) => {
    const fixture = await archiveFixture(opened);
    const { driver, root, fresh } = fixture;
    await plant(fixture);
    const copy = await fresh('copy');
    await driver.extract({ stream: driver.packTree(root, '/link/', { name: 'named' }) }, copy, '/');
    t.deepEqual(await pathsOf(driver, copy), ['', 'named', 'named/a', 'named/sub', 'named/sub/b']);
    const content = await fresh('content');
    await driver.extract({ stream: driver.packTree(root, '/', { name: '' }) }, content, '/');
    t.deepEqual(await pathsOf(driver, content), await pathsOf(driver, root));
    t.is((await lstat(join(content, 'hard'))).ino, (await lstat(join(content, 'd/a'))).ino);
    await rejects(t, buffer(driver.packTree(root, '/out/secret')), 'not-found');
  });

  suite.check('a selection packs each path under its own name', async (t, opened) => {
    const fixture = await archiveFixture(opened);
    const { driver, root, fresh } = fixture;
    await plant(fixture);
    const selection = driver.packSelection(root, [
      { path: '/link/a', name: 'x', contentOnly: false },
      { path: '/d/', name: 'y', contentOnly: true },
    ]);
    const copy = await fresh('copy');
    await driver.extract({ stream: selection }, copy, '/');
    t.is(await readFile(join(copy, 'x'), 'utf8'), 'aa');
    t.is(await readFile(join(copy, 'y/sub/b'), 'utf8'), 'bbb');
  });

  suite.check('a reader may stop early, and an aborted one fails', async (t, opened) => {
    const fixture = await archiveFixture(opened);
    const { driver, root } = fixture;
    await writeFile(join(root, 'large'), Buffer.alloc(4 * 2 ** 20));
    const stopped = driver.packTree(root, '/');
    for await (const piece of stopped) {
      t.true((piece as Buffer).length > 0);
      break;
    }
    const controller = new AbortController();
    const aborted = driver.packTree(root, '/', { signal: controller.signal });
    controller.abort();
    await aborts(t, buffer(aborted));
  });

  suite.check('digests of a listing ignore times and follow content', async (t, opened) => {
    const fixture = await archiveFixture(opened);
    const { driver, root } = fixture;
    await plant(fixture);
    const digest = async () => (await driver.listTree(root, '/d/a', { digests: true })).entries[0]?.digest;
    const before = await digest();
    await utimes(join(root, 'd/a'), 1, 1);
    t.is(await digest(), before);
    await writeFile(join(root, 'd/a'), 'ab');
    t.not(await digest(), before);
  });

  suite.check('a size counts a file with two names once, and only what differs from a base', async (t, opened) => {
    const fixture = await archiveFixture(opened);
    const { driver, root, fresh } = fixture;
    await plant(fixture);
    const copy = await fresh('copy');
    const whole = await driver.treeSize(root);
    await driver.copyTree(root, copy);
    t.is(await driver.treeSize(copy), whole);
    t.is(await driver.treeSize(copy, { base: root }), 0);
    await writeFile(join(copy, 'new'), '12345');
    t.is(await driver.treeSize(copy, { base: root }), 5);
  });

  suite.check('changes of a copied tree are listed, and packed as a layer', async (t, opened) => {
    const fixture = await archiveFixture(opened);
    const { driver, root, fresh } = fixture;
    await plant(fixture);
    const tree = await fresh('tree');
    await driver.copyTree(root, tree);
    await driver.removeTree(join(tree, 'd/sub'));
    await writeFile(join(tree, 'd/new'), 'new');
    const changes = await driver.listChanges({ tree, base: root });
    t.deepEqual(
      changes.map(({ path, kind }) => `${kind} ${path}`),
      ['modified /d', 'added /d/new', 'deleted /d/sub'],
    );
    const layer = await buffer(driver.packChanges({ tree, base: root }));
    const again = await fresh('again');
    await driver.copyTree(root, again);
    await driver.extractLayer({ stream: streamOf(layer) }, again, { whiteouts: 'apply' });
    t.deepEqual(await pathsOf(driver, again), await pathsOf(driver, tree));
  });

  suite.check('removing a tree follows no link, and twice resolves', async (t, opened) => {
    const fixture = await archiveFixture(opened);
    await plant(fixture);
    await fixture.driver.removeTree(fixture.root);
    await fixture.driver.removeTree(fixture.root);
    await fixture.isUnharmed(t);
  });
}
