import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import { container as globalContainer } from 'tsyringe';
import { conflict, DriverSkipped } from '../errors/engine-error.js';
import { type DriverDefinition, defineDriver, PackageDirectories } from './definitions/driver.js';
import { definePlugin } from './definitions/plugin.js';
import { EngineEvents } from './events/event-bus.js';
import { inject, injectable } from './injection/decorators.js';
import { Config, StopSignal } from './injection/tokens.js';
import { Kernel, type KernelOptions } from './kernel.js';
import { Lifetime } from './lifetime/lifetime.js';
import { Logger } from './logging/logger.js';
import { type DriverSet, driverPoint, servicePoint } from './points/driver-point.js';

interface Bell {
  ring(): string;
}
const Bells = driverPoint<Bell>('bell', '1.0');

interface Greeter {
  greet(): string;
}
const Greeter = servicePoint<Greeter>('greeter');

interface Host {
  name(): string;
}
const Host = servicePoint<Host>('host', { fallback: () => ({ name: () => 'real host' }) });

@injectable()
class Counter {
  count = 0;
}

@injectable()
class LoudBell implements Bell {
  constructor(
    @inject(Config) private readonly config: { readonly sound: string },
    @inject(Counter) private readonly counter: Counter,
  ) {}

  ring(): string {
    this.counter.count += 1;
    return `${this.config.sound} ${this.counter.count}`;
  }
}

const bell = defineDriver({
  id: 'loud',
  provides: Bells,
  configSchema: Type.Object({ sound: Type.String({ default: 'ding' }) }),
  create({ container }) {
    container.register(Counter);
    return LoudBell;
  },
}) as unknown as DriverDefinition<object>;

@injectable()
class BellGreeter implements Greeter {
  constructor(
    @inject(Bells.token) private readonly bells: DriverSet<Bell>,
    @inject(Host.token) private readonly host: Host,
    @inject(Counter) readonly counter: Counter,
  ) {}

  greet(): string {
    this.counter.count += 1;
    return `${this.host.name()}: ${this.bells.get().ring()}`;
  }
}

const greeter = definePlugin({
  id: 'greeter',
  provides: [Greeter],
  requires: [Bells, Host],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.register(Counter, BellGreeter);
    container.provide(Greeter, BellGreeter);
  },
});

async function start(t: ExecutionContext, use: KernelOptions['use']): Promise<Kernel> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-injection-'));
  const kernel = new Kernel({
    config: { dataRoot: path.join(directory, 'data'), execRoot: path.join(directory, 'run') },
    ...(use !== undefined && { use }),
  });
  t.teardown(async () => {
    await kernel.stop();
    await rm(directory, { recursive: true, force: true });
  });
  await kernel.start();
  return kernel;
}

test('a driver and a service are constructed with what they name, one instance for each package', async (t) => {
  const kernel = await start(t, [greeter, bell]);
  const service = kernel.service(Greeter) as BellGreeter;
  t.is(service.greet(), 'real host: ding 1');
  t.is(service.greet(), 'real host: ding 2');
  t.is(service.counter.count, 2, 'the driver counts in an instance of its own');
});

test('hooks may be a class, which injects what the kernel gives every package', async (t) => {
  const seen: string[] = [];
  @injectable()
  class Hooks {
    constructor(
      @inject(Logger) private readonly log: Logger,
      @inject(Lifetime) lifetime: Lifetime,
      @inject(PackageDirectories) private readonly dirs: PackageDirectories,
      @inject(EngineEvents) private readonly events: EngineEvents,
      @inject(StopSignal) private readonly stopSignal: AbortSignal,
    ) {
      lifetime.add(() => void seen.push('released'));
    }

    async start(): Promise<void> {
      this.log.debug({ event: 'test.started' }, 'started');
      seen.push(path.basename(this.dirs.root), `${this.events.listenerCount} ${this.stopSignal.aborted}`);
    }

    async stop(): Promise<void> {
      seen.push(`stopping ${this.stopSignal.aborted}`);
    }
  }
  const plugin = definePlugin({ id: 'hooked', configSchema: Type.Object({}), setup: () => Hooks });
  const kernel = await start(t, [plugin]);
  await kernel.stop();
  t.deepEqual(seen, ['hooked', '0 false', 'stopping true', 'released']);
});

test('a provided service takes the place of a fallback', async (t) => {
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
  const kernel = await start(t, [greeter, bell, host]);
  t.is(kernel.service(Greeter).greet(), 'fake host: ding 1');
});

test('what a package does not require cannot be injected, and the error names it', async (t) => {
  const plugin = definePlugin({
    id: 'forgetful',
    configSchema: Type.Object({}),
    setup({ container }) {
      container.register(Counter);
      return BellGreeter as never;
    },
  });
  await t.throwsAsync(start(t, [bell, plugin]), {
    message: /forgetful cannot start: .*BellGreeter.*gantry\.driver\.bell\/1/s,
  });
});

test('factories are called once, with their dependencies', async (t) => {
  const Label = Symbol('label');
  let calls = 0;
  @injectable()
  class Labelled {
    constructor(
      @inject(Label) readonly first: string,
      @inject(Label) readonly second: string,
    ) {
      t.deepEqual([first, second, calls], ['made of 0', 'made of 0', 1]);
    }
  }
  const plugin = definePlugin({
    id: 'factory',
    configSchema: Type.Object({}),
    setup({ container }) {
      container.register(Counter);
      container.registerFactory(Label, [Counter], (counter: Counter) => {
        calls += 1;
        return `made of ${counter.count}`;
      });
      return Labelled as never;
    },
  });
  t.plan(1);
  await start(t, [plugin]);
});

test('what is awaited is there when classes are constructed, and may depend on services and on each other', async (t) => {
  const [Name, Size] = [Symbol('name'), Symbol('size')];
  @injectable()
  class Sized {
    constructor(@inject(Size) size: number) {
      t.is(size, 'real host'.length);
    }
  }
  const plugin = definePlugin({
    id: 'awaiting',
    requires: [Host],
    configSchema: Type.Object({}),
    setup({ container }) {
      container.registerAsync(Name, [Host.token], async (host: Host) => host.name());
      container.registerAsync(Size, [Name], async (name: string) => name.length);
      return Sized as never;
    },
  });
  t.plan(1);
  await start(t, [plugin]);
});

test('a driver whose awaited factory skips it is skipped, and nothing is constructed', async (t) => {
  const Fact = Symbol('fact');
  const skipped = defineDriver({
    id: 'skipped',
    provides: Bells,
    configSchema: Type.Object({}),
    create({ container }) {
      container.registerAsync(Fact, [], () => Promise.reject(new DriverSkipped('not on this host')));
      return class implements Bell {
        constructor() {
          t.fail();
        }
        ring = (): string => '';
      };
    },
  }) as unknown as DriverDefinition<object>;
  const kernel = await start(t, [bell, skipped]);
  t.is(kernel.drivers(Bells).has('skipped'), false);
  t.is(kernel.drivers(Bells).has('loud'), true);
});

test('what is registered on the global container of tsyringe is not seen by a kernel', async (t) => {
  globalContainer.register(Bells.token, { useValue: {} });
  t.teardown(() => globalContainer.clearInstances());
  const plugin = definePlugin({
    id: 'stray',
    configSchema: Type.Object({}),
    setup({ container }) {
      container.register(Counter);
      container.registerValue(Host.token, {});
      return BellGreeter as never;
    },
  });
  await t.throwsAsync(start(t, [plugin]), { message: /stray cannot start/ });
});

test('a driver that its constructor or a factory skips is skipped, whichever class injects it', async (t) => {
  const Horn = Symbol('horn');
  @injectable()
  class Horns {
    constructor(@inject(Horn) readonly horn: string) {}
  }
  @injectable()
  class HornBell {
    constructor(@inject(Horns) readonly horns: Horns) {}
    ring = () => this.horns.horn;
  }
  const skipped = defineDriver({
    id: 'horn',
    provides: Bells,
    configSchema: Type.Object({}),
    create({ container }) {
      container.register(Horns);
      container.registerFactory(Horn, [], () => {
        throw new DriverSkipped('no horn here');
      });
      return HornBell as never;
    },
  }) as unknown as DriverDefinition<object>;
  const kernel = await start(t, [skipped, bell]);
  t.deepEqual(kernel.drivers(Bells).ids, ['loud']);
  t.is(kernel.drivers(Bells).reasonWithout('horn'), 'no horn here');
});

test('the error of a nested constructor keeps its kind, and a foreign one its type and stack', async (t) => {
  for (const { error, expected } of [
    { error: conflict('taken'), expected: { kind: 'conflict', message: 'taken' } },
    { error: new TypeError('x is not a function'), expected: { kind: 'internal' } },
  ]) {
    @injectable()
    class Inner {
      constructor() {
        throw error;
      }
    }
    @injectable()
    class Outer {
      constructor(@inject(Inner) readonly inner: Inner) {}
    }
    const plugin = definePlugin({
      id: 'nested',
      configSchema: Type.Object({}),
      setup({ container }) {
        container.register(Inner);
        return Outer as never;
      },
    });
    const thrown = await t.throwsAsync(start(t, [plugin]));
    const { cause } = thrown as { cause: Error };
    t.like(cause, expected);
    t.is(expected.kind === 'internal' ? cause.cause : cause, error);
  }
});

test('a cycle of dependencies is named', async (t) => {
  const Hen = Symbol('hen');
  const Egg = Symbol('egg');
  const plugin = definePlugin({
    id: 'cyclic',
    provides: [Greeter],
    configSchema: Type.Object({}),
    setup({ container }) {
      container.registerFactory(Hen, [Egg], (egg) => egg);
      container.registerFactory(Egg, [Hen], (hen) => hen);
      container.provide(Greeter, Hen as never);
    },
  });
  await t.throwsAsync(start(t, [plugin]), { message: /dependencies form a cycle: hen -> egg -> hen/ });
});

test('hooks of registered classes are called in their order, and reversely to stop, also when one of them fails', async (t) => {
  const calls: string[] = [];
  @injectable()
  class First {
    start = async () => void calls.push('first started');
    stop = async () => void calls.push('first stopped');
    findOrphans = async () => [{ what: 'thing', name: 'one', reason: 'left', remove: async () => undefined }];
  }
  @injectable()
  class Second {
    constructor(@inject(First) readonly first: First) {}
    start = async () => void calls.push('second started');
    async stop(): Promise<void> {
      calls.push('second stopped');
      throw new Error('cannot stop');
    }
  }
  @injectable()
  class Main {
    ready = async () => void calls.push('main ready');
    stop = async () => void calls.push('main stopped');
  }
  const plugin = definePlugin({
    id: 'hooked',
    configSchema: Type.Object({}),
    setup({ container }) {
      container.registerHooks(First, Second);
      return Main;
    },
  });
  const kernel = await start(t, [plugin]);
  t.deepEqual(
    (await kernel.findOrphans()).map(({ orphan }) => orphan.name),
    ['one'],
  );
  await kernel.stop();
  t.deepEqual(calls, [
    'first started',
    'second started',
    'main ready',
    'main stopped',
    'second stopped',
    'first stopped',
  ]);
});
