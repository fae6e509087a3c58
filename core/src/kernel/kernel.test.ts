import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { DriverSkipped } from '../errors/engine-error.js';
import { type DriverDefinition, defineDriver } from './definitions/driver.js';
import { definePlugin, type PluginDefinition } from './definitions/plugin.js';
import { inject, injectable } from './injection/decorators.js';
import { Kernel, type KernelOptions } from './kernel.js';
import { Lifetime } from './lifetime/lifetime.js';
import type { Logger } from './logging/logger.js';
import { type DriverSet, driverPoint, servicePoint } from './points/driver-point.js';

interface Bell {
  ring(): string;
}
const Bells = driverPoint<Bell>('bell', '1.0');
interface Greeter {
  greet(): string;
}
const Greeter = servicePoint<Greeter>('greeter');
const nothing = Type.Object({});

const bell = (id: string, more: Partial<DriverDefinition<Bell>> = {}): DriverDefinition<object> =>
  defineDriver({ id, provides: Bells, configSchema: nothing, create: () => ({ ring: () => id }), ...more }) as never;

async function kernelWith(
  t: ExecutionContext,
  use: KernelOptions['use'],
  config: object = {},
  log?: Logger,
): Promise<Kernel> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-kernel-'));
  const roots = { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') };
  const kernel = new Kernel({
    config: { ...roots, ...config },
    ...(use !== undefined && { use }),
    ...(log !== undefined && { log }),
  });
  t.teardown(async () => {
    await kernel.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return kernel;
}

test('a plugin gets the drivers and services it requires, whatever the order of the list', async (t) => {
  @injectable()
  class Visitor {
    constructor(@inject(Greeter.token) greeter: Greeter) {
      t.is(greeter.greet(), 'small says hello');
    }
  }
  const use = [
    definePlugin({
      id: 'visitor',
      requires: [Greeter],
      configSchema: nothing,
      setup: () => Visitor,
    }),
    definePlugin({
      id: 'host',
      provides: [Greeter],
      requires: [Bells],
      configSchema: nothing,
      setup: ({ container }) => {
        container.registerFactory(Greeter.token, [Bells.token], (bells: DriverSet<Bell>) => ({
          greet: () => `${bells.get().ring()} says hello`,
        }));
        container.provide(Greeter, Greeter.token);
      },
    }),
    bell('big'),
    bell('small'),
  ];
  t.plan(1);
  const kernel = await kernelWith(t, use, { defaults: { bell: 'small' } });
  await kernel.start();
});

test('stops in exactly the reverse order of the start', async (t) => {
  const order: string[] = [];
  const unit = (id: string, requires: PluginDefinition['requires'], provides: PluginDefinition['provides']) =>
    definePlugin({
      id,
      ...(requires !== undefined && { requires }),
      ...(provides !== undefined && { provides }),
      configSchema: nothing,
      setup: ({ lifetime, container }) => {
        container.registerValue(Greeter.token, { greet: () => '' });
        if (provides !== undefined) container.provide(Greeter, Greeter.token);
        lifetime.add(() => void order.push(`${id} released`));
        return {
          start: async () => void order.push(`${id} started`),
          stop: async () => void order.push(`${id} stopped`),
        };
      },
    });
  const kernel = await kernelWith(t, [unit('above', [Greeter], undefined), unit('below', undefined, [Greeter])]);
  await kernel.start();
  await kernel.stop();
  t.deepEqual(order, [
    'below started',
    'above started',
    'above stopped',
    'above released',
    'below stopped',
    'below released',
  ]);
});

test('a driver that cannot run here is skipped and the next preferred one is the default', async (t) => {
  const skipped = bell('big', {
    create: () => {
      throw new DriverSkipped('no tower');
    },
  });
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const kernel = await kernelWith(t, [skipped, bell('small')], { defaults: { bell: ['big', 'small'] } }, log);
  await kernel.start();
  t.is(kernel.drivers(Bells).get().ring(), 'small');
  t.deepEqual(kernel.drivers(Bells).unavailableDefault, { id: 'big', reason: 'no tower' });
  t.like(logged[0], { event: 'driver.fallback', kind: 'bell', driver: 'small', preferred: 'big', reason: 'no tower' });
  t.deepEqual(
    kernel.statuses().map(({ name, state, reason }) => [name, state, reason]),
    [
      ['bell/big', 'skipped', 'no tower'],
      ['bell/small', 'ready', undefined],
    ],
  );
  t.throws(() => kernel.drivers(Bells).get('big'), {
    message: 'there is no bell driver "big" (no tower); there are: small',
  });
});

test('a kind without a usable driver aborts the start where it is needed, naming every reason', async (t) => {
  const skipped = bell('big', {
    create: () => {
      throw new DriverSkipped('no tower');
    },
  });
  const needy = definePlugin({ id: 'needy', requires: [Bells], configSchema: nothing, setup: () => undefined });
  const kernel = await kernelWith(t, [skipped, needy], { defaults: { bell: 'big' } });
  await t.throwsAsync(kernel.start(), {
    message: 'needy cannot start: no bell driver that "defaults" allows is ready (bell/big: no tower)',
  });
});

test('a required package that fails aborts the start with one line and stops what had started', async (t) => {
  let released = false;
  const fine = bell('fine', {
    create: ({ lifetime }) => {
      lifetime.add(() => {
        released = true;
      });
      return { ring: () => '' };
    },
  });
  const broken = definePlugin({
    id: 'broken',
    requires: [Bells],
    configSchema: nothing,
    setup: () => {
      throw new Error('the rope is torn');
    },
  });
  const kernel = await kernelWith(t, [fine, broken]);
  await t.throwsAsync(kernel.start(), { message: 'broken cannot start: the rope is torn' });
  t.true(released);
});

test('a start that hangs is given up on with its name', async (t) => {
  const hanging = bell('deaf', { create: () => new Promise<Bell>(() => undefined) });
  const kernel = await kernelWith(t, [hanging], { startTimeoutSeconds: 1 });
  await t.throwsAsync(kernel.start(), {
    message: 'bell/deaf cannot start: bell/deaf: starting did not finish within 1 s: create() has not settled',
  });
});

test('packages that require each other are named in order', async (t) => {
  const One = servicePoint('one');
  const Two = servicePoint('two');
  const unit = (id: string, provides: typeof One, requires: typeof One) =>
    definePlugin({ id, provides: [provides], requires: [requires], configSchema: nothing, setup: () => undefined });
  const kernel = await kernelWith(t, [unit('hen', One, Two), unit('egg', Two, One)]);
  await t.throwsAsync(kernel.start(), { message: 'packages require each other in a circle: hen -> egg -> hen' });
});

test('two drivers of one kind and id are refused', async (t) => {
  const kernel = await kernelWith(t, [bell('big'), bell('big')]);
  await t.throwsAsync(kernel.start(), { message: /^bell\/big is provided twice/ });
});

test('a plugin gets nothing that it does not require', async (t) => {
  @injectable()
  class Nosy {
    constructor(@inject(Bells.token) readonly bells: DriverSet<Bell>) {}
  }
  const nosy = definePlugin({ id: 'nosy', configSchema: nothing, setup: () => Nosy as never });
  const kernel = await kernelWith(t, [bell('big'), nosy]);
  await t.throwsAsync(kernel.start(), {
    message:
      /^nosy cannot start: .*"Nosy"[\s\S]*gantry\.driver\.bell\/1[\s\S]*lists it neither in "requires" nor in "after"$/,
  });
});

test('a plugin that injects a service of its own by its token is referred to the class', async (t) => {
  const Ropes = servicePoint<object>('ropes');
  class Rope {}
  @injectable()
  class Puller {
    constructor(@inject(Ropes.token) readonly ropes: object) {}
  }
  const ringer = definePlugin({
    id: 'ringer',
    provides: [Ropes],
    configSchema: nothing,
    setup: ({ container }) => {
      container.provide(Ropes, Rope);
      return Puller as never;
    },
  });
  await t.throwsAsync((await kernelWith(t, [ringer])).start(), {
    message: /a service that the package itself provides is injected by its class$/,
  });
});

test('a plugin offers no service that it does not declare', async (t) => {
  const generous = definePlugin({
    id: 'generous',
    configSchema: nothing,
    setup: ({ container }) => container.provide(Greeter, Greeter.token),
  });
  const kernel = await kernelWith(t, [generous]);
  await t.throwsAsync(kernel.start(), { message: /generous offers service greeter without declaring it/ });
});

test('a section with an unknown key is refused with its path before anything is created', async (t) => {
  let created = false;
  const loud = bell('loud', {
    configSchema: Type.Object({ volume: Type.Number({ default: 3, maximum: 11 }) }),
    create: () => {
      created = true;
      return { ring: () => '' };
    },
  });
  const kernel = await kernelWith(t, [loud], { drivers: { 'bell/loud': { volum: 5 } } });
  await t.throwsAsync(kernel.start(), {
    message: 'config.drivers["bell/loud"].volum: there is no such key; there are: volume',
  });
  t.false(created);
});

test('a section with a value out of range is refused with path and value', async (t) => {
  const loud = bell('loud', { configSchema: Type.Object({ volume: Type.Number({ default: 3, maximum: 11 }) }) });
  const kernel = await kernelWith(t, [loud], { drivers: { 'bell/loud': { volume: 12 } } });
  await t.throwsAsync(kernel.start(), { message: /^config\.drivers\["bell\/loud"\]\.volume: 12 is not accepted/ });
});

test('a section for a package that is not loaded is refused', async (t) => {
  const kernel = await kernelWith(t, [bell('big')], { drivers: { 'bell/bigg': {} } });
  await t.throwsAsync(kernel.start(), {
    message: 'config.drivers["bell/bigg"]: no loaded package has that name; there are: bell/big',
  });
});

test('stop never rejects and reports what throws', async (t) => {
  const bad = bell('bad', {
    create: () => ({
      ring: () => '',
      stop: async () => {
        throw new Error('no');
      },
    }),
  });
  const kernel = await kernelWith(t, [bad]);
  await kernel.start();
  await t.notThrowsAsync(kernel.stop());
});

test('who requires a kind starts after those who add drivers to it while they run, and finds these by either name', async (t) => {
  @injectable()
  class Ringer {
    constructor(@inject(Bells.token) bells: DriverSet<Bell>) {
      t.deepEqual([...bells.ids].sort(), ['big', 'late:latest']);
      t.is(bells.get('late').ring(), 'late');
      t.is(bells.idOf('late'), 'late:latest');
      t.is(bells.idOf('absent'), 'absent');
    }
  }
  @injectable()
  class Founder {
    constructor(@inject(Bells.token) bells: DriverSet<Bell>, @inject(Lifetime) lifetime: Lifetime) {
      lifetime.add(bells.add('late:latest', { ring: () => 'late' }));
      lifetime.add(bells.alias('late', 'late:latest'));
    }
  }
  const use = [
    bell('big'),
    definePlugin({
      id: 'ringer',
      requires: [Bells],
      configSchema: nothing,
      setup: () => Ringer as never,
    }),
    definePlugin({
      id: 'founder',
      joins: [Bells],
      configSchema: nothing,
      setup: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return Founder as never;
      },
    }),
  ];
  t.plan(4);
  const kernel = await kernelWith(t, use, { defaults: { bell: 'big' } });
  await kernel.start();
});

test('a plugin starts after the services it names where there are any, and without them where not', async (t) => {
  const Late = servicePoint<string>('late');
  const Absent = servicePoint<string>('absent');
  const started: string[] = [];
  @injectable()
  class Follower {
    constructor(@inject(Late.token) late: string | undefined, @inject(Absent.token) absent: string | undefined) {
      started.push('follower');
      t.deepEqual([late, absent], ['here', undefined]);
    }
  }
  const follower = definePlugin({
    id: 'follower',
    after: [Late, Absent],
    configSchema: nothing,
    setup: () => Follower as never,
  });
  const late = definePlugin({
    id: 'late',
    provides: [Late],
    configSchema: nothing,
    setup: async ({ container }) => {
      await new Promise((resolve) => setImmediate(resolve));
      started.push('late');
      container.registerValue(Late.token, 'here');
      container.provide(Late, Late.token);
    },
  });
  const kernel = await kernelWith(t, [follower, late]);
  await kernel.start();
  t.deepEqual(started, ['late', 'follower']);
});

test('a kind that drivers may be added to later needs one that is there from the start', async (t) => {
  const founder = definePlugin({ id: 'founder', joins: [Bells], configSchema: nothing, setup: () => undefined });
  const needy = definePlugin({ id: 'needy', requires: [Bells], configSchema: nothing, setup: () => undefined });
  const kernel = await kernelWith(t, [founder, needy]);
  await t.throwsAsync(kernel.start(), { message: /needy requires bell\/1/ });
});

test('the idle hook of every package is called, even after one that throws', async (t) => {
  const called: string[] = [];
  const withIdleHook = (id: string, onIdle: () => void) =>
    definePlugin({ id, configSchema: nothing, setup: () => ({ onIdle }) });
  const use = [
    withIdleHook('first', () => {
      called.push('first');
      throw new Error('busy');
    }),
    withIdleHook('second', () => void called.push('second')),
  ];
  const kernel = await kernelWith(t, use);
  await kernel.start();
  await kernel.onIdle();
  t.deepEqual(called.sort(), ['first', 'second']);
});

test('before anything stops, every package drains while all others still work', async (t) => {
  const order: string[] = [];
  const unit = (id: string) =>
    definePlugin({
      id,
      configSchema: nothing,
      setup: () => ({
        drain: async () => void order.push(`${id} drains`),
        stop: async () => void order.push(`${id} stops`),
      }),
    });
  const kernel = await kernelWith(t, [unit('first'), unit('second')]);
  await kernel.start();
  await kernel.stop();
  t.deepEqual(order.slice(0, 2).sort(), ['first drains', 'second drains']);
  t.deepEqual(order.slice(2).sort(), ['first stops', 'second stops']);
});
