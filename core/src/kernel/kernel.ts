import 'reflect-metadata';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type DependencyContainer, container as globalContainer } from 'tsyringe';
import { type KernelConfig, parseKernelConfig } from './config.js';
import { withDeadline } from './deadline.js';
import { makeDirectories } from './directories.js';
import type { DriverDefinition, DriverLifecycle } from './driver.js';
import type { DriverOrigin, DriverPoint, DriverSet, ServicePoint } from './driver-point.js';
import { LiveDriverSet } from './driver-set.js';
import { DriverSkipped, EngineError, messageOf } from './errors.js';
import { EventBus } from './events.js';
import type { Leftover } from './leftover.js';
import { Lifetime } from './lifetime.js';
import { isPluginDefinition, loadPackage } from './load.js';
import { type Logger, silentLogger } from './logger.js';
import { type Requirements, resolveRequirements, withoutMisfits } from './order.js';
import type { PluginContext, PluginDefinition } from './plugin.js';
import { type Reloaded, startKeys, withApplied } from './reload.js';
import { refuseUnknownSections, sectionOf } from './sections.js';
import { driverUnit, nameOfPoint, pluginUnit, type Unit } from './unit.js';
import { type UnitStatus, UnitStatuses } from './unit-statuses.js';

export interface KernelOptions {
  /** The kernel's configuration, as in the file; see `KernelConfig`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Definitions to load beside the configured packages, for programs that import them. */
  readonly use?: readonly (DriverDefinition<object> | PluginDefinition)[];
  /** Where relative and named packages are looked for; default: the working directory. */
  readonly from?: string;
  /** The same for `extraPackages`; default: `from`. */
  readonly extraFrom?: string;
  readonly log?: Logger;
}

interface Running {
  readonly unit: Unit;
  readonly lifetime: Lifetime;
  readonly hooks: DriverLifecycle;
}

/**
 * Brings configured packages to life in the order of what they require, and back in exactly the reverse order.
 * A kernel starts once and stops once.
 */
export class Kernel {
  readonly events: EventBus;
  readonly #log: Logger;
  #config: KernelConfig;
  readonly #container: DependencyContainer = globalContainer.createChildContainer();
  readonly #sets = new Map<symbol, LiveDriverSet<unknown>>();
  readonly #running: Running[] = [];
  readonly #statuses = new UnitStatuses();
  #units: readonly Unit[] = [];
  readonly #driverListeners = new Set<() => void>();
  #stopped: Promise<void> | undefined;

  /** @throws EngineError `invalid-argument` naming the key that is wrong. */
  constructor(private readonly options: KernelOptions = {}) {
    this.#config = parseKernelConfig(options.config ?? {});
    this.#log = options.log ?? silentLogger;
    this.events = new EventBus((error) =>
      this.#log.error({ event: 'events.listener-failed', error }, 'a listener of the event bus threw'),
    );
  }

  /** What holds now. */
  get config(): KernelConfig {
    return this.#config;
  }

  /** What became of each unit, in the order of the configuration, and drivers that have joined since. */
  statuses(): readonly UnitStatus[] {
    return this.#statuses.list(this.#units, this.#sets.values());
  }

  /** Optional packages that could not be loaded. */
  get unloadable(): readonly UnitStatus[] {
    return this.#statuses.unloadable;
  }

  /** Calls a listener whenever a driver joins or leaves. @returns ends that. */
  onDrivers(listener: () => void): () => void {
    this.#driverListeners.add(listener);
    return () => this.#driverListeners.delete(listener);
  }

  /** Loads every package and parses every section, starting nothing. @throws EngineError naming what is wrong. */
  async load(): Promise<readonly Unit[]> {
    const units: Unit[] = (this.options.use ?? []).map((definition) =>
      isPluginDefinition(definition) ? pluginUnit(definition) : driverUnit(definition),
    );
    const from = path.resolve(this.options.from ?? '.');
    const extraFrom = path.resolve(this.options.extraFrom ?? from);
    const entries = [
      ...this.#config.packages.map((entry) => ({ entry, directory: from })),
      ...this.#config.extraPackages.map((entry) => ({ entry, directory: extraFrom })),
    ];
    const loaded = await Promise.all(
      entries.map(async ({ entry, directory }) => {
        const { package: specifier, optional = false } = typeof entry === 'string' ? { package: entry } : entry;
        try {
          return await withDeadline(`package ${specifier}: loading`, this.#startMs, () =>
            loadPackage(specifier, directory, optional),
          );
        } catch (error) {
          if (!optional) throw error;
          const reason = messageOf(error);
          this.#statuses.leaveOut(specifier, reason);
          this.#log.error({ event: 'package.failed', package: specifier, reason }, 'package left out');
          return [];
        }
      }),
    );
    units.push(...loaded.flat());
    refuseUnknownSections(units, this.#config);
    for (const unit of units) sectionOf(unit, this.#config);
    return units;
  }

  /**
   * Starts everything; units that do not need each other start side by side. On rejection what had started is stopped.
   * @throws EngineError: one line naming the unit and the reason.
   */
  async start(): Promise<void> {
    const loaded = await this.load();
    const units = withoutMisfits(loaded, (unit, reason) => this.#leaveOut(unit, reason));
    const requirements = resolveRequirements(units);
    this.#units = loaded;
    for (const unit of units) if (unit.kind !== undefined) this.#setOf(unit.kind);
    try {
      await this.#startAll(units, requirements);
      for (const { unit, hooks } of [...this.#running]) {
        if (hooks.ready === undefined) continue;
        await withDeadline(
          `${unit.name}: getting ready`,
          this.#startMs,
          (signal) => hooks.ready?.(signal) ?? Promise.resolve(),
        );
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /**
   * Takes over what a changed configuration allows while everything runs: the log level is the caller's, timeouts hold
   * from now on, and changed sections go to the units that can take them. The rest counts from the next start.
   * @throws EngineError `invalid-argument` naming what is wrong; then nothing has changed.
   */
  async reload(config: Readonly<Record<string, unknown>>): Promise<Reloaded> {
    const next = parseKernelConfig(config);
    refuseUnknownSections(this.#units, next);
    const changed = this.#units
      .map((unit) => ({ unit, config: sectionOf(unit, next) }))
      .filter(({ unit, config }) => !isDeepStrictEqual(config, sectionOf(unit, this.#config)));
    const applied: string[] = [];
    const waiting: string[] = startKeys.filter((key) => !isDeepStrictEqual(next[key], this.#config[key]));
    for (const { unit, config } of changed) {
      ((await this.#reconfigure(unit, config)) ? applied : waiting).push(unit.name);
    }
    this.#config = withApplied(this.#config, next, new Set(applied));
    return { applied, waiting };
  }

  /** What every package that runs finds left over, in the order they started. */
  async leftovers(): Promise<readonly { readonly owner: string; readonly leftover: Leftover }[]> {
    const found = await Promise.all(
      this.#running.map(async ({ unit, hooks }) =>
        ((await hooks.leftovers?.()) ?? []).map((leftover) => ({ owner: unit.name, leftover })),
      ),
    );
    return found.flat();
  }

  /** Stops everything in the reverse order, each unit within its deadline. Never rejects; a second call waits. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** The drivers of a kind, for programs that embed the kernel. */
  drivers<T>(point: DriverPoint<T>): DriverSet<T> {
    return this.#setOf(point);
  }

  /** A service, for programs that embed the kernel. @throws EngineError `not-found`. */
  service<T>(point: ServicePoint<T>): T {
    if (!this.#container.isRegistered(point.token)) {
      throw new EngineError('not-found', `no package provides service ${point.name}`);
    }
    return this.#container.resolve<T>(point.token);
  }

  get #startMs(): number {
    return this.#config.startTimeoutSeconds * 1000;
  }

  async #startAll(units: readonly Unit[], requirements: Requirements): Promise<void> {
    const started = new Map<Unit, Promise<void>>();
    let failed = false;
    const start = (unit: Unit): Promise<void> => {
      const known = started.get(unit);
      if (known !== undefined) return known;
      const promise = Promise.all((requirements.get(unit) ?? []).map(start)).then(() =>
        failed ? undefined : this.#startUnit(unit),
      );
      started.set(unit, promise);
      return promise;
    };
    const outcomes = await Promise.allSettled(
      units.map((unit) =>
        start(unit).catch((error: unknown) => {
          failed = true;
          throw error;
        }),
      ),
    );
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  async #startUnit(unit: Unit): Promise<void> {
    const began = performance.now();
    const lifetime = new Lifetime();
    try {
      this.#refuseEmptyKinds(unit);
      const hooks = await withDeadline(`${unit.name}: starting`, this.#startMs, async (signal) => {
        const made = (await unit.create(await this.#contextFor(unit, lifetime))) ?? {};
        await made.start?.(signal);
        return made;
      });
      if (unit.kind !== undefined) {
        lifetime.add(this.#setOf(unit.kind).add(unit.id, hooks, await this.#originOf(unit)));
      }
      this.#running.push({ unit, lifetime, hooks });
      this.#statuses.settle(unit, 'ready');
      this.#log.debug({ event: 'unit.ready', unit: unit.name, tookMs: Math.round(performance.now() - began) }, 'ready');
    } catch (error) {
      await lifetime.release().catch((fault: unknown) => this.#reportRelease(unit, fault));
      this.#settleFailure(unit, error);
    }
  }

  /** An optional unit that does not fit the others. */
  #leaveOut(unit: Unit, reason: string): void {
    this.#statuses.settle(unit, 'failed', reason);
    this.#log.error({ event: 'unit.failed', unit: unit.name, reason }, 'optional package left out');
  }

  #settleFailure(unit: Unit, error: unknown): void {
    const reason = messageOf(error);
    const skipped = DriverSkipped.is(error);
    this.#statuses.settle(unit, skipped ? 'skipped' : 'failed', reason);
    if (skipped) {
      this.#log.info({ event: 'driver.skipped', driver: unit.name, reason }, 'driver skipped');
    } else if (unit.optional) {
      this.#log.error({ event: 'unit.failed', unit: unit.name, reason }, 'optional package failed');
    } else {
      throw new EngineError('unavailable', `${unit.name} cannot start: ${reason}`, { cause: error });
    }
  }

  /** A kind of which every driver was skipped or failed: say why here, where the need is. */
  #refuseEmptyKinds(unit: Unit): void {
    for (const point of unit.requires) {
      if (!('kind' in point)) {
        if (!this.#container.isRegistered(point.token)) {
          throw new EngineError('unavailable', `${nameOfPoint(point)} did not start`);
        }
        continue;
      }
      const set = this.#setOf(point);
      if (set.defaultId !== undefined) continue;
      const reasons = this.#statuses.reasonsOf(point.kind);
      const why = reasons.length > 0 ? reasons.join('; ') : `there are: ${set.ids.join(', ') || 'none'}`;
      throw new EngineError('unavailable', `no ${point.kind} driver that "defaults" allows is ready (${why})`);
    }
  }

  async #contextFor(unit: Unit, lifetime: Lifetime): Promise<PluginContext<never>> {
    const scope = this.#container.createChildContainer();
    const required = new Set([...unit.requires, ...unit.joins].map((point) => point.token));
    const demand = (point: DriverPoint<unknown> | ServicePoint<unknown>): void => {
      if (required.has(point.token)) return;
      throw new EngineError('internal', `${unit.name} asks for ${nameOfPoint(point)} without requiring it`);
    };
    return {
      config: sectionOf(unit, this.#config) as never,
      log: this.#log.child(unit.kind === undefined ? { plugin: unit.name } : { driver: unit.name }),
      lifetime,
      dirs: await makeDirectories(unit, this.#config),
      events: this.events,
      services: {
        drivers: <T>(point: DriverPoint<T>) => {
          demand(point);
          return this.#setOf(point);
        },
        service: <T>(point: ServicePoint<T>) => {
          demand(point);
          return scope.resolve<T>(point.token);
        },
      },
      provide: <T>(point: ServicePoint<T>, service: T) => {
        if (!unit.provides.some((offered) => offered.token === point.token)) {
          throw new EngineError('internal', `${unit.name} offers ${nameOfPoint(point)} without declaring it`);
        }
        this.#container.registerInstance(point.token, service as object);
      },
      optional: <T>(point: ServicePoint<T>) => {
        if (!unit.after.some((named) => named.token === point.token)) {
          throw new EngineError('internal', `${unit.name} asks for ${nameOfPoint(point)} without naming it in "after"`);
        }
        return this.#container.isRegistered(point.token) ? scope.resolve<T>(point.token) : undefined;
      },
    };
  }

  async #originOf(unit: Unit): Promise<DriverOrigin | undefined> {
    if (unit.source === undefined) return undefined;
    return { ...unit.source, config: sectionOf(unit, this.#config), dirs: await makeDirectories(unit, this.#config) };
  }

  #setOf<T>(point: DriverPoint<T>): LiveDriverSet<T> {
    let set = this.#sets.get(point.token);
    if (set === undefined) {
      const preferred = this.#config.defaults[point.kind] ?? [];
      const changed = () => {
        for (const listener of this.#driverListeners) listener();
      };
      const ids = typeof preferred === 'string' ? [preferred] : preferred;
      set = new LiveDriverSet<unknown>(point.kind, ids, changed, (name) => this.#statuses.reasonOf(name));
      this.#sets.set(point.token, set);
      this.#container.registerInstance(point.token, set);
    }
    return set as LiveDriverSet<T>;
  }

  async #reconfigure(unit: Unit, config: unknown): Promise<boolean> {
    const hooks = this.#running.find((running) => running.unit === unit)?.hooks;
    if (hooks?.reconfigure === undefined) return false;
    try {
      await withDeadline(
        `${unit.name}: taking over its configuration`,
        this.#startMs,
        (signal) => hooks.reconfigure?.(config, signal) ?? Promise.resolve(),
      );
      return true;
    } catch (error) {
      this.#log.error(
        { event: 'unit.reconfigure-failed', unit: unit.name, reason: messageOf(error) },
        'not taken over',
      );
      return false;
    }
  }

  async #stopAll(): Promise<void> {
    const ms = this.#config.stopTimeoutSeconds * 1000;
    for (let next = this.#running.pop(); next !== undefined; next = this.#running.pop()) {
      const { unit, hooks, lifetime } = next;
      try {
        await withDeadline(`${unit.name}: stopping`, ms, (signal) => hooks.stop?.(signal) ?? Promise.resolve());
      } catch (error) {
        this.#log.error({ event: 'unit.stop-failed', unit: unit.name, reason: messageOf(error) }, 'stop failed');
      }
      try {
        await withDeadline(`${unit.name}: giving back what it holds`, ms, () => lifetime.release());
      } catch (error) {
        this.#reportRelease(unit, error);
      }
    }
  }

  #reportRelease(unit: Unit, error: unknown): void {
    const reasons = error instanceof AggregateError ? error.errors.map(messageOf) : [messageOf(error)];
    this.#log.error({ event: 'unit.release-failed', unit: unit.name, reasons }, 'something could not be given back');
  }
}
