import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VolumeDrivers } from '@gantry/core/contracts';
import { type DriverPoint, type DriverSet, defineDriver, driverPoint, inject, injectable } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { defineSuite, openDriver, parseConfig, volumeDriverSuite, withDrivers } from './index.js';
import { TestRun } from './runner/test-run.js';

interface Box {
  readonly capabilities: { readonly lid: boolean };
  readonly greeting: string;
  write(text: string): void;
  read(): string | undefined;
}

const Boxes: DriverPoint<Box> = driverPoint<Box>('box', '1.0');
const ended: string[] = [];

const box = defineDriver({
  id: 'cardboard',
  provides: Boxes,
  configSchema: Type.Object({ greeting: Type.String({ default: 'hello' }) }, { additionalProperties: false }),
  create({ config, dirs, lifetime }) {
    lifetime.add(() => void ended.push(dirs.root));
    const file = join(dirs.root, 'text');
    return {
      capabilities: { lid: false },
      greeting: config.greeting,
      write: (text: string) => writeFileSync(file, text),
      read: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
    };
  },
});

const boxSuite = defineSuite<Box>('box', (suite) => {
  suite.check('two openings are independent', async (t, { driver }, open) => {
    const other = await open();
    driver.write('x');
    t.is(other.driver.read(), undefined);
  });
  suite.group({ capability: 'lid', when: (driver) => driver.capabilities.lid }, (suite) => {
    suite.check('has a lid', async (t) => void t.fail());
  });
  suite.check('fails', async (t) => void t.fail());
});

boxSuite(test, () => openDriver(box), { knownFailures: { fails: 'https://example.org/issues/1' } });

test('defaults are filled in, and unknown keys and wrong types are refused with their path', (t) => {
  const schema = Type.Object({ size: Type.Integer({ default: 3 }) }, { additionalProperties: false });
  t.deepEqual(parseConfig(schema), { size: 3 });
  t.throws(() => parseConfig(schema, { size: 'x' }), { message: /config\/size/ });
  t.throws(() => parseConfig(schema, { siz: 1 }), { message: /siz/ });
});

test('a driver opened again finds its directory; a crash leaves the old one unreleased until the end', async (t) => {
  const first = await openDriver(box, { config: { greeting: 'hi' } });
  const { root } = first.dirs;
  first.driver.write('kept');
  const second = await first.reopen({ crash: true });
  t.false(ended.includes(root));
  t.is(second.driver.read(), 'kept');
  t.is(second.driver.greeting, 'hi');
  const third = await second.reopen({ config: {} });
  t.deepEqual(
    ended.filter((ending) => ending === root),
    [root],
  );
  t.is(third.driver.greeting, 'hello');
  await third.release();
  await first.release();
  t.is(ended.filter((ending) => ending === root).length, 3);
  t.false(existsSync(root));
});

test('a suite refuses known failures that name no check', (t) => {
  const nothing = Object.assign(() => undefined, {
    serial: () => undefined,
    failing: () => undefined,
    after: { always: () => undefined },
  });
  t.throws(() => boxSuite(nothing, () => openDriver(box), { knownFailures: { nonsense: '' } }), {
    message: /nonsense/,
  });
});

test('a driver gets the services it was opened with', async (t) => {
  let ids: readonly string[] = [];
  @injectable()
  class Shelf implements Box {
    readonly capabilities = { lid: false };
    readonly greeting = '';

    constructor(@inject(Boxes.token) private readonly boxes: DriverSet<Box>) {
      ids = boxes.ids;
    }

    write(text: string): void {
      this.boxes.get().write(text);
    }

    read(): string | undefined {
      return this.boxes.get().read();
    }
  }
  const shelf = defineDriver({
    id: 'shelf',
    provides: Boxes,
    requires: [Boxes],
    configSchema: Type.Object({}),
    create: () => Shelf,
  });
  const inner = await openDriver(box);
  const outer = await openDriver(shelf, { services: [withDrivers(Boxes, { inner: inner.driver })], uses: [inner] });
  t.deepEqual(ids, ['inner']);
  await outer.release();
  t.true(ended.includes(inner.dirs.root));
});

test('a failure shows what was asked of the driver, what it did, and what the contract says of it', async (t) => {
  const careless = defineDriver({
    id: 'careless',
    provides: VolumeDrivers,
    configSchema: Type.Object({}),
    create: ({ dirs }) => ({
      capabilities: { scope: 'local' as const, usage: false },
      create: async () => undefined,
      remove: async () => undefined,
      get: async (name: string) => ({ name, mountpoint: undefined }),
      list: async () => [{ name: 'vol', mountpoint: undefined }],
      mount: async () => dirs.root,
      unmount: async () => undefined,
    }),
  });
  const lines: string[] = [];
  const run = new TestRun(
    (line) => lines.push(line),
    (title) => title.includes('removing a mounted volume'),
  );
  volumeDriverSuite(run.test, () => openDriver(careless), {});
  await run.run();
  const text = lines.join('\n');
  t.regex(text, /✘ volume: removing a mounted volume is a conflict/);
  t.regex(text, /of the volume driver careless, and what it did:\n {6}create\('vol', \{\}\) resolved\n/);
  t.regex(text, /mount\('vol', 'container-1'\) resolved to '\/.*'\n/);
  t.regex(
    text,
    /remove\('vol'\) resolved\n {4}the contract says of VolumeDriver\.remove: Removes the volume and what it/,
  );
});
