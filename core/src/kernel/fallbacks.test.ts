import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import { definePlugin } from './definitions/plugin.js';
import { Kernel, type KernelOptions } from './kernel.js';
import { servicePoint } from './points/driver-point.js';

interface Host {
  name(): string;
}
const Host = servicePoint<Host>('host', { fallback: () => ({ name: () => 'real host' }) });

async function start(t: ExecutionContext, use: NonNullable<KernelOptions['use']>): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-fallbacks-'));
  const config = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
  const kernel = new Kernel({ config, use });
  t.teardown(async () => {
    await kernel.stop();
    await rm(directory, { recursive: true, force: true });
  });
  await kernel.start();
}

test('a fallback is made with the services it requires, of packages where they provide them', async (t) => {
  const Sign = servicePoint<{ readonly text: string }, [Host]>('sign', {
    requires: [Host],
    fallback: (host) => ({ text: `at ${host.name()}` }),
  });
  const reader = definePlugin({
    id: 'a-reader',
    requires: [Sign],
    configSchema: Type.Object({}),
    setup({ container }) {
      container.registerAsync(Symbol('text'), [Sign.token], async (sign: { text: string }) =>
        t.is(sign.text, 'at fake host'),
      );
    },
  });
  const host = definePlugin({
    id: 'host',
    provides: [Host],
    configSchema: Type.Object({}),
    setup({ container }) {
      const fake = Symbol('fake host');
      container.registerValue(fake, { name: () => 'fake host' });
      container.provide(Host, fake);
    },
  });
  t.plan(1);
  await start(t, [reader, host]);
});

test('what a fallback requires is missing where no package provides it', async (t) => {
  const Atlas = servicePoint<object>('atlas');
  const Sign = servicePoint<{ readonly text: string }, [object]>('sign', {
    requires: [Atlas],
    fallback: () => ({ text: 'at the crossing' }),
  });
  const reader = definePlugin({ id: 'a-reader', requires: [Sign], configSchema: Type.Object({}), setup: () => ({}) });
  t.like(await t.throwsAsync(start(t, [reader])), {
    kind: 'invalid-argument',
    message:
      'a-reader requires service sign, whose fallback requires service atlas, which no package in "packages" provides',
  });
  const sign = definePlugin({
    id: 'sign',
    provides: [Sign],
    configSchema: Type.Object({}),
    setup({ container }) {
      container.registerValue(Sign.token, { text: 'painted' });
      container.provide(Sign, Sign.token);
    },
  });
  await t.notThrowsAsync(start(t, [reader, sign]));
});

test('an optional service whose fallback cannot be made is undefined', async (t) => {
  const Atlas = servicePoint<object>('atlas');
  const Sign = servicePoint<object, [object]>('sign', { requires: [Atlas], fallback: () => ({}) });
  const reader = definePlugin({
    id: 'a-reader',
    after: [Sign],
    configSchema: Type.Object({}),
    setup({ container }) {
      container.registerAsync(Symbol('sign'), [Sign.token], async (sign: object | undefined) => t.is(sign, undefined));
    },
  });
  t.plan(1);
  await start(t, [reader]);
});
