import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { identityMappings } from '../contracts/id-mappings.js';
import { notFound } from '../errors/engine-error.js';
import type { KernelConfig } from '../kernel/configuration/kernel-config.js';
import type { DriverLifecycle } from '../kernel/hooks/driver-lifecycle.js';
import { Lifetime } from '../kernel/lifetime/lifetime.js';
import { silentLogger } from '../kernel/logging/logger.js';
import type { DriverPoint, FindService } from '../kernel/points/driver-point.js';
import { createDriver } from '../kernel/units/create-driver.js';
import { sectionOf } from '../kernel/units/sections.js';
import type { Unit } from '../kernel/units/unit.js';

/** Drivers for commands that run without a kernel. */
export class OfflineDrivers {
  readonly #lifetime = new Lifetime();

  constructor(
    private readonly units: readonly Unit[],
    private readonly config: KernelConfig,
    private readonly port: FindService,
  ) {}

  /** @throws EngineError `not-found` without a driver of the kind in the configuration. */
  async open<T extends object>(point: DriverPoint<T>): Promise<T> {
    const unit = this.#defaultOf(point);
    const directory = await mkdtemp(path.join(tmpdir(), 'gantry-command-'));
    this.#lifetime.add(() => rm(directory, { recursive: true, force: true }));
    const dirs = { root: path.join(directory, 'root'), state: path.join(directory, 'state') };
    for (const each of Object.values(dirs)) await mkdir(each);
    const { driver, hooks } = await createDriver(
      {
        id: unit.id,
        provides: point,
        requires: unit.requires,
        configSchema: unit.configSchema,
        create: (context) => unit.create(context as never) as Promise<T & DriverLifecycle>,
      },
      {
        config: sectionOf(unit, this.config) as never,
        log: silentLogger,
        lifetime: this.#lifetime,
        dirs,
        services: { service: this.port },
        idMappings: identityMappings,
      },
    );
    const signal = AbortSignal.timeout(this.config.startTimeoutSeconds * 1000);
    await hooks.start?.(signal);
    this.#lifetime.add(async () => hooks.stop?.(AbortSignal.timeout(this.config.stopTimeoutSeconds * 1000)));
    return driver;
  }

  release(): Promise<void> {
    return this.#lifetime.release();
  }

  #defaultOf({ kind }: DriverPoint<unknown>): Unit {
    const ids = [this.config.defaults[kind] ?? []].flat();
    const found = ids.map((id) => this.units.find(({ name }) => name === `${kind}/${id}`));
    const unit = found.find((each) => each !== undefined) ?? this.units.find((each) => each.kind?.kind === kind);
    if (unit === undefined) throw notFound(`the configuration has no ${kind} driver`);
    return unit;
  }
}
