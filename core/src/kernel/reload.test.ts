import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import { definePlugin } from './definitions/plugin.js';
import { Kernel } from './kernel.js';

async function start(t: ExecutionContext, refuses = false) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-reload-'));
  const taken: unknown[] = [];
  const configSchema = Type.Object({ words: Type.Optional(Type.String()) });
  const flexible = definePlugin({
    id: 'flexible',
    configSchema,
    setup: () => ({
      reconfigure: async ({ words }) => {
        if (refuses) throw new Error('not now');
        taken.push(words);
      },
      reloaded: () => void taken.push('reloaded'),
    }),
  });
  const stiff = definePlugin({ id: 'stiff', configSchema, setup: () => undefined });
  const config = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
  const kernel = new Kernel({ config, use: [flexible, stiff] });
  t.teardown(async () => {
    await kernel.stop();
    await rm(directory, { recursive: true, force: true });
  });
  await kernel.start();
  return { kernel, config, taken };
}

test('a changed section goes to the unit that can take it, and waits for a start elsewhere', async (t) => {
  const { kernel, config, taken } = await start(t);
  const changed = { ...config, logLevel: 'warn', plugins: { flexible: { words: 'new' }, stiff: { words: 'new' } } };
  t.like(await kernel.reload(changed), { applied: ['flexible'], waiting: ['stiff'] });
  t.deepEqual(taken, ['new', 'reloaded']);
  t.is(kernel.config.logLevel, 'warn');
  t.like(await kernel.reload(changed), { applied: [], waiting: ['stiff'] });
  t.like(await kernel.reload(config), { applied: ['flexible'], waiting: [] });
  t.deepEqual(taken, ['new', 'reloaded', 'reloaded', undefined, 'reloaded'], 'each reload is announced');
});

test('what only a start takes in is named', async (t) => {
  const { kernel, config } = await start(t);
  t.like(await kernel.reload({ ...config, execRoot: '/elsewhere', defaults: { volume: 'more' } }), {
    applied: [],
    waiting: ['execRoot', 'defaults'],
  });
  t.is(kernel.config.execRoot, config.execRoot);
});

test('a faulty configuration changes nothing', async (t) => {
  const { kernel, config, taken } = await start(t);
  for (const plugins of [
    { flexible: { words: 'new' }, stiff: { word: 1 } },
    { flexible: { words: 'new' }, absent: {} },
  ]) {
    await t.throwsAsync(kernel.reload({ ...config, plugins }), { message: /config\.plugins/ });
  }
  t.deepEqual(taken, []);
});

test('a unit that refuses goes on as before', async (t) => {
  const { kernel, config } = await start(t, true);
  const changed = { ...config, plugins: { flexible: { words: 'new' } } };
  t.like(await kernel.reload(changed), { applied: [], waiting: ['flexible'] });
  t.like(await kernel.reload(changed), { applied: [], waiting: ['flexible'] });
});

test('packages are notified when a reload begins and ends, and one that throws keeps no other from it', async (t) => {
  const heard: string[] = [];
  const listener = definePlugin({
    id: 'listener',
    configSchema: Type.Object({}),
    setup: () => ({
      reloadBegins: () => {
        heard.push('begins');
        throw new Error('ignored');
      },
      reloadEnds: () => void heard.push('ends'),
    }),
  });
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-reload-'));
  const config = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
  const kernel = new Kernel({ config, use: [listener] });
  t.teardown(async () => {
    await kernel.stop();
    await rm(directory, { recursive: true, force: true });
  });
  await kernel.start();
  kernel.announceReload('reloadBegins');
  kernel.announceReload('reloadEnds');
  t.deepEqual(heard, ['begins', 'ends']);
});
