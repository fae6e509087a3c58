import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { VolumeDriver } from '@gantry/core/contracts';
import { aborts, atOnce, rejects } from './expectations.js';
import { defineSuite, type SuiteOptions } from './suite.js';

export interface VolumeSuiteOptions extends SuiteOptions {
  /** Options that the driver makes a volume with; none when not given. */
  readonly volumeOptions?: Readonly<Record<string, string>>;
  /** What is written to a volume is gone after its last unmount, as on a file system in memory. */
  readonly forgets?: boolean;
}

const names = (volumes: readonly { readonly name: string }[]): string[] => volumes.map(({ name }) => name).sort();

export const volumeDriverSuite = defineSuite<VolumeDriver, VolumeSuiteOptions>('volume', (suite) => {
  const { volumeOptions = {}, forgets = false } = suite.options;

  suite.check('two drivers share nothing', async (t, { driver }, open) => {
    await driver.create('vol', volumeOptions);
    const other = await open();
    t.deepEqual(await other.driver.list(), []);
  });

  suite.check('capabilities agree with the methods', async (t, { driver }) => {
    t.is(typeof driver.usage === 'function', driver.capabilities.usage);
  });

  suite.check('a volume that was made is listed and found', async (t, { driver }) => {
    await driver.create('data', volumeOptions);
    await driver.create('Another_one.2-x', volumeOptions);
    t.deepEqual(names(await driver.list()), ['Another_one.2-x', 'data']);
    const volume = await driver.get('data');
    t.is(volume.name, 'data');
    if (volume.mountpoint !== undefined) t.true(isAbsolute(volume.mountpoint));
  });

  suite.check('names that are none are refused by name', async (t, { driver }) => {
    for (const name of ['', '.', '..', '.hidden', '-x', '_x', 'a b', 'a/b', '../a', 'a\0b', 'é', `a\n`]) {
      const error = await rejects(t, driver.create(name, volumeOptions), 'invalid-argument');
      t.true(error.message.includes(JSON.stringify(name).slice(1, -1)) || error.message.includes(name));
    }
    t.deepEqual(await driver.list(), []);
  });

  suite.check('options that are none are refused by name, and nothing is made', async (t, { driver }) => {
    await rejects(t, driver.create('vol', { ...volumeOptions, nosuch: '1' }), 'invalid-argument', /nosuch/);
    t.deepEqual(await driver.list(), []);
  });

  suite.check('a volume that is not there is not found', async (t, { driver }) => {
    await rejects(t, driver.get('absent'), 'not-found', /absent/);
    await rejects(t, driver.remove('absent'), 'not-found', /absent/);
    await rejects(t, driver.mount('absent', 'user'), 'not-found', /absent/);
    await driver.unmount('absent', 'user');
  });

  suite.check('what is written through a mount is there at the next', async (t, { driver }) => {
    await driver.create('vol', volumeOptions);
    const path = await driver.mount('vol', 'one');
    t.true(isAbsolute(path) && statSync(path).isDirectory());
    writeFileSync(join(path, 'file'), 'content');
    t.is(await driver.mount('vol', 'two'), path);
    await driver.unmount('vol', 'one');
    t.is(readFileSync(join(path, 'file'), 'utf8'), 'content');
    await driver.unmount('vol', 'two');
    if (!forgets) {
      const again = await driver.mount('vol', 'three');
      t.is(readFileSync(join(again, 'file'), 'utf8'), 'content');
      await driver.unmount('vol', 'three');
    }
  });

  suite.check('making an existing volume keeps what it holds', async (t, { driver }) => {
    await driver.create('vol', volumeOptions);
    const path = await driver.mount('vol', 'user');
    writeFileSync(join(path, 'file'), 'content');
    await driver.create('vol', volumeOptions);
    t.is(readFileSync(join(path, 'file'), 'utf8'), 'content');
    await driver.unmount('vol', 'user');
    t.deepEqual(names(await driver.list()), ['vol']);
  });

  suite.check('repeating a mount for one user is one mount', async (t, { driver }) => {
    await driver.create('vol', volumeOptions);
    for (let count = 0; count < 3; count++) await driver.mount('vol', 'user');
    await driver.unmount('vol', 'user');
    await driver.remove('vol');
    t.deepEqual(await driver.list(), []);
  });

  suite.check('unmounting what is not mounted resolves', async (t, { driver }) => {
    await driver.create('vol', volumeOptions);
    await driver.unmount('vol', 'absent');
    await driver.mount('vol', 'one');
    await driver.unmount('vol', 'absent');
    await rejects(t, driver.remove('vol'), 'conflict');
    await driver.unmount('vol', 'one');
    await driver.unmount('vol', 'one');
  });

  suite.check('removing a mounted volume is a conflict', async (t, { driver }) => {
    await driver.create('vol', volumeOptions);
    const path = await driver.mount('vol', 'container-1');
    writeFileSync(join(path, 'file'), 'content');
    await driver.mount('vol', 'container-2');
    await rejects(t, driver.remove('vol'), 'conflict', /^remove vol: volume is in use - \[container-1, container-2\]$/);
    t.is(readFileSync(join(path, 'file'), 'utf8'), 'content');
    await driver.unmount('vol', 'container-1');
    await rejects(t, driver.remove('vol'), 'conflict');
    await driver.unmount('vol', 'container-2');
    await driver.remove('vol');
    await rejects(t, driver.get('vol'), 'not-found');
  });

  suite.check('a removed volume is empty when it is made again', async (t, { driver }) => {
    await driver.create('vol', volumeOptions);
    writeFileSync(join(await driver.mount('vol', 'user'), 'file'), 'content');
    await driver.unmount('vol', 'user');
    await driver.remove('vol');
    await rejects(t, driver.remove('vol'), 'not-found');
    await driver.create('vol', volumeOptions);
    const path = await driver.mount('vol', 'user');
    t.false(existsSync(join(path, 'file')));
    await driver.unmount('vol', 'user');
  });

  suite.check('twenty calls at once come to one result', async (t, { driver }) => {
    await atOnce(20, () => driver.create('vol', volumeOptions));
    t.deepEqual(names(await driver.list()), ['vol']);
    const paths = await atOnce(20, (index) => driver.mount('vol', `user-${index}`));
    t.is(new Set(paths).size, 1);
    await atOnce(20, (index) => driver.unmount('vol', `user-${index}`));
    const removals = await atOnce(20, () =>
      driver.remove('vol').then(
        () => true,
        () => false,
      ),
    );
    t.is(removals.filter(Boolean).length, 1);
    t.deepEqual(await driver.list(), []);
    await atOnce(20, (index) => driver.create(`v${index}`, volumeOptions));
    t.is((await driver.list()).length, 20);
  });

  suite.check('volumes are there after a stop, a crash and a reboot, with their options', async (t, opened) => {
    await opened.driver.create('vol', volumeOptions);
    const first = await opened.driver.mount('vol', 'user');
    if (!forgets) writeFileSync(join(first, 'file'), 'content');
    await opened.driver.unmount('vol', 'user');
    let current = opened;
    for (const options of [{}, { crash: true }, { reboot: true }]) {
      current = await current.reopen(options);
      t.deepEqual(names(await current.driver.list()), ['vol']);
      const path = await current.driver.mount('vol', 'user');
      if (!forgets) t.is(readFileSync(join(path, 'file'), 'utf8'), 'content');
      await current.driver.unmount('vol', 'user');
    }
    await current.driver.remove('vol');
    t.deepEqual(await (await current.reopen({ crash: true })).driver.list(), []);
  });

  suite.check('after a crash, what was mounted can be mounted, unmounted and removed', async (t, opened) => {
    await opened.driver.create('vol', volumeOptions);
    const path = await opened.driver.mount('vol', 'user');
    writeFileSync(join(path, 'file'), 'content');
    const after = await opened.reopen({ crash: true });
    t.is(await after.driver.mount('vol', 'user'), path);
    t.is(readFileSync(join(path, 'file'), 'utf8'), 'content');
    await after.driver.unmount('vol', 'user');
    await after.driver.mount('vol', 'other');
    const last = await after.reopen({ crash: true });
    await last.driver.remove('vol');
    t.deepEqual(await last.driver.list(), []);
  });

  suite.check('an aborted mount rejects and leaves nothing', async (t, { driver }) => {
    await driver.create('vol', volumeOptions);
    await aborts(t, driver.mount('vol', 'user', { signal: AbortSignal.abort() }));
    await driver.remove('vol');
    t.deepEqual(await driver.list(), []);
  });

  suite.group({ capability: 'usage', when: ({ capabilities }) => capabilities.usage }, (suite) => {
    suite.check('usage counts what was written', async (t, { driver }) => {
      const { usage } = driver;
      if (usage === undefined) throw new Error('capabilities.usage without the method');
      await driver.create('vol', volumeOptions);
      const path = await driver.mount('vol', 'user');
      const before = await usage.call(driver, 'vol');
      writeFileSync(join(path, 'file'), Buffer.alloc(1_000_000, 1));
      const more = (await usage.call(driver, 'vol')) - before;
      t.true(more >= 1_000_000 && more < 1_100_000, String(more));
      await aborts(t, usage.call(driver, 'vol', { signal: AbortSignal.abort() }));
      await driver.unmount('vol', 'user');
      await rejects(t, usage.call(driver, 'absent'), 'not-found');
    });
  });
});
