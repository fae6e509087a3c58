import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineEvent, Kernel, type KernelOptions } from '@gantry/core';
import { Client } from './client.js';

/** The part of a test framework's context that releases resources when the test is over. */
export interface TestOwner {
  teardown(release: () => Promise<void> | void): void;
}

type Use = NonNullable<KernelOptions['use']>;

/** A running engine of a test's own. */
export interface TestEngine extends Pick<Client, 'ask' | 'open' | 'hijack'> {
  /** The one that runs now: `restart` makes another. */
  readonly kernel: Kernel;
  /** A directory of the test's own; `data` and `run` in it are the engine's. */
  readonly directory: string;
  readonly socketPath: string;
  /** Everything published since the start, over restarts, oldest first. */
  readonly events: readonly EngineEvent[];
  /** Such as `volume create data`: type, action and actor of each event so far. */
  eventSummaries(): readonly string[];
  /** Stops the engine and starts another on the same directories. @param use other definitions than before. */
  restart(use?: Use): Promise<void>;
}

interface EngineOptions {
  /** Laid over the configuration, which has the directories and the socket. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Sections of plugins, such as `{ events: { segments: 2 } }`. */
  readonly plugins?: Readonly<Record<string, unknown>>;
  /** Without the engine surface there is no socket to configure. */
  readonly listens?: boolean;
}

/** Starts a kernel of the given definitions. It is stopped and its directory removed when the test is over. */
export async function startEngine(t: TestOwner, use: Use, options: EngineOptions = {}): Promise<TestEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-test-'));
  const socketPath = join(directory, 'engine.sock');
  const events: EngineEvent[] = [];
  const client = new Client(() => socketPath);
  const config = {
    dataRoot: join(directory, 'data'),
    execRoot: join(directory, 'run'),
    ...options.config,
    plugins: {
      ...options.plugins,
      ...(options.listens !== false && {
        'engine-api': { hosts: [`unix://${socketPath}`], ...(options.plugins?.['engine-api'] as object | undefined) },
      }),
    },
  };
  const start = async (definitions: Use): Promise<Kernel> => {
    const kernel = new Kernel({ config, use: definitions });
    kernel.events.subscribe((event) => events.push(event));
    await kernel.start();
    return kernel;
  };
  let current = use;
  let kernel: Kernel | undefined;
  t.teardown(async () => {
    client.destroy();
    await kernel?.stop();
    await rm(directory, { recursive: true, force: true });
  });
  kernel = await start(current);
  return {
    get kernel() {
      return kernel as Kernel;
    },
    directory,
    socketPath,
    events,
    eventSummaries: () => events.map(({ type, action, actor }) => `${type} ${action} ${actor.id}`),
    ask: (...asked) => client.ask(...asked),
    open: (...asked) => client.open(...asked),
    hijack: (...asked) => client.hijack(...asked),
    async restart(other = current) {
      await kernel?.stop();
      current = other;
      kernel = await start(current);
    },
  };
}
