import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { IdMappings } from '@gantry/core/contracts';
import {
  type CreatedDriver,
  createDriver,
  type DriverDefinition,
  type DriverLifecycle,
  type DriverPoint,
  Lifetime,
  type PackageDirectories,
  silentLogger,
  withDeadline,
} from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { TSchema } from '@sinclair/typebox';
import { freshDirectory, packageDirectories, removeDirectory, unmountBelow } from './directories.js';
import { leaksBelow } from './leaks.js';
import { parseConfig } from './parse-config.js';
import { type Provided, stubServices, withDrivers } from './services.js';

export interface OpenOptions {
  /** How long the driver may take to be created and started, in seconds; 60 by default, as in the daemon. */
  readonly startTimeout?: number;
  /** As in the daemon's configuration: parsed by the driver's schema, defaults filled in. */
  readonly config?: unknown;
  /**
   * The directory that `root` and `state` are made in. Then it is the caller's to remove; without it a fresh one under
   * the temporary directory is made, and removed at `release`.
   */
  readonly root?: string;
  /** Drivers that this one requires: opened before it, in directories below its own, and released after it. */
  readonly requires?: readonly DriverDefinition<object>[];
  /** How ids of containers are mapped; by default they are not. */
  readonly idMappings?: IdMappings;
  /** What the rest of the definition's `requires` resolves to. */
  readonly services?: readonly Provided[];
  /** Other opened drivers this one works on (they are in `services`): released after it, not reopened with it. */
  readonly uses?: readonly Releasable[];
  /** Removes what a reboot would, beside mounts and the `state` directory: processes, links, cgroups. */
  readonly onReboot?: () => Promise<void> | void;
}

export interface Releasable {
  release(): Promise<void>;
}

/** A driver that was created and started outside the daemon. */
export interface Opened<T> extends Releasable {
  readonly id: string;
  readonly driver: T;
  /** The hooks of the driver and of its package: `start` and `ready` were called. */
  readonly hooks: DriverLifecycle;
  readonly dirs: PackageDirectories;
  /**
   * Opens the driver again on the same directories and returns that. The driver of before must not be used any more.
   *
   * Without options it is stopped and released first. With `crash` it is left where it stands, neither stopped nor
   * released: calls in progress stay in progress. `reboot` is a crash that also loses every mount and the `state`
   * directory. `config` is given anew or stays.
   */
  reopen(options?: ReopenOptions): Promise<Opened<T>>;
  /**
   * Stops and releases this driver and what it came from, and removes a fresh directory. Twice: is once.
   * Rejects, after all of that, when something was still mounted or open below the directory some seconds later: a check
   * unmounts what it had mounted.
   */
  release(): Promise<void>;
}

export interface ReopenOptions {
  readonly crash?: boolean;
  readonly reboot?: boolean;
  readonly config?: unknown;
}

/** Creates and starts a driver from its definition, as the kernel does, outside the daemon. */
export async function openDriver<T, S extends TSchema>(
  definition: DriverDefinition<T, S>,
  options: OpenOptions = {},
): Promise<Opened<T>> {
  const base = options.root ?? (await freshDirectory());
  const end = new Lifetime();
  end.add(async () => {
    const left = await leaksBelow(base);
    if (options.root === undefined) removeDirectory(base);
    if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
  });
  for (const used of options.uses ?? []) end.add(() => used.release());
  try {
    const services = [
      ...(options.services ?? []),
      ...(await openRequired(options.requires ?? [], base, end, options.idMappings)),
    ];
    return await openOn(definition, { ...options, services }, base, end);
  } catch (error) {
    await end.release();
    throw error;
  }
}

/**
 * Opens drivers that another one requires, below its directory: where the process is killed, they go with that. `end`
 * releases them.
 */
async function openRequired(
  definitions: readonly DriverDefinition<object>[],
  base: string,
  end: Lifetime,
  idMappings: IdMappings | undefined,
): Promise<Provided[]> {
  const sets = new Map<DriverPoint<object>, Record<string, object>>();
  for (const definition of definitions) {
    const root = join(base, 'required', `${definition.provides.kind}-${definition.id}`);
    const { driver, release } = await openDriver(definition, { root, ...(idMappings && { idMappings }) });
    end.add(release);
    sets.set(definition.provides, { ...sets.get(definition.provides), [definition.id]: driver });
  }
  return [...sets].map(([point, drivers]) => withDrivers(point, drivers));
}

async function openOn<T, S extends TSchema>(
  definition: DriverDefinition<T, S>,
  options: OpenOptions,
  base: string,
  end: Lifetime,
): Promise<Opened<T>> {
  const dirs = packageDirectories(base);
  const lifetime = new Lifetime();
  const { driver, hooks } = await create(definition, options, dirs, lifetime);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await hooks.stop?.(AbortSignal.timeout(10_000));
    await lifetime.release();
    await lifetime.release(); // twice is allowed, see Lifetime
  };
  // A crashed driver is released, too, after its successors, or the test process itself would leak.
  end.add(() => {
    stopped ??= stop();
    return stopped;
  });
  return {
    id: definition.id,
    driver,
    hooks,
    dirs,
    async reopen({ crash = false, reboot = false, config = options.config } = {}) {
      if (reboot) await forgetAll(base, dirs, options);
      else if (!crash) {
        stopped ??= stop();
        await stopped;
      }
      return openOn(definition, { ...options, config }, base, end);
    },
    release: () => end.release(),
  };
}

async function create<T, S extends TSchema>(
  definition: DriverDefinition<T, S>,
  options: OpenOptions,
  dirs: PackageDirectories,
  lifetime: Lifetime,
): Promise<CreatedDriver<T>> {
  const { startTimeout = 60 } = options;
  const name = `${definition.provides.kind}/${definition.id}`;
  let pending = 'create()';
  const error = () =>
    unavailable(`${name}: starting did not finish within ${startTimeout} s: ${pending} has not settled`);
  try {
    return await withDeadline({ milliseconds: startTimeout * 1000, error }, async (signal) => {
      const created = await createDriver(definition, {
        config: parseConfig(definition.configSchema, options.config),
        log: silentLogger,
        lifetime,
        dirs,
        services: stubServices(options.services ?? []),
        ...(options.idMappings && { idMappings: options.idMappings }),
      });
      pending = 'start()';
      await created.hooks.start?.(signal);
      pending = 'ready()';
      await created.hooks.ready?.(signal);
      return created;
    });
  } catch (error) {
    await lifetime.release();
    throw error;
  }
}

async function forgetAll(base: string, dirs: PackageDirectories, options: OpenOptions): Promise<void> {
  await options.onReboot?.();
  unmountBelow(base);
  rmSync(dirs.state, { recursive: true, force: true });
}
