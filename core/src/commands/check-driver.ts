import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withDeadline } from '../concurrency/deadline.js';
import { DriverSkipped, kindOf, messageOf } from '../errors/engine-error.js';
import type { KernelConfig } from '../kernel/configuration/kernel-config.js';
import { parseConfig } from '../kernel/configuration/schema.js';
import type { DriverDefinition } from '../kernel/definitions/driver.js';
import { Lifetime } from '../kernel/lifetime/lifetime.js';
import { silentLogger } from '../kernel/logging/logger.js';
import { MissingMethods } from '../kernel/units/check-methods.js';
import { createDriver } from '../kernel/units/create-driver.js';
import { isServicePoint, nameOfPoint, type Unit } from '../kernel/units/unit.js';
import { importModule } from '../supply/supply-core.js';

const createMilliseconds = 60_000;

/**
 * Creates a driver with its part of a configuration, or the defaults, without starting it, in directories that are removed again.
 * Resolves to why this is impossible here: it requires other drivers, needs configuration or another host.
 * Rejects with MissingMethods, and with whatever else `create` throws.
 */
export async function checkDriver(
  { kind, name, requires, configSchema, source }: Unit,
  sections: Pick<KernelConfig, 'drivers'> = { drivers: {} },
): Promise<string | undefined> {
  if (kind === undefined || source === undefined) return undefined;
  const driver = requires.find((point) => !isServicePoint(point) || point.fallback === undefined);
  if (driver !== undefined) return `it requires ${nameOfPoint(driver)}`;
  const definition = (await importModule(source.module))[source.export] as DriverDefinition<object>;
  const lifetime = new Lifetime();
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-check-'));
  lifetime.add(() => rm(directory, { recursive: true, force: true }));
  const dirs = { root: path.join(directory, 'root'), state: path.join(directory, 'state') };
  for (const each of Object.values(dirs)) await mkdir(each);
  const deadline = {
    milliseconds: createMilliseconds,
    error: () => new Error(`${name}: create has not returned within ${createMilliseconds / 1000} seconds`),
  };
  try {
    const config = parseConfig(configSchema, sections.drivers[name] ?? {}, `config.drivers["${name}"]`);
    const environment = { config, dirs, lifetime, log: silentLogger };
    await withDeadline(deadline, (stopSignal) => createDriver(definition, { ...environment, stopSignal }));
    return undefined;
  } catch (error) {
    if (error instanceof MissingMethods) throw error;
    if (DriverSkipped.is(error) || ['invalid-argument', 'unavailable'].includes(kindOf(error))) return messageOf(error);
    throw error;
  } finally {
    await lifetime.release();
  }
}
