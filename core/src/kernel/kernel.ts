import { isDeepStrictEqual } from 'node:util';
import { conflict, messageOf } from '../errors/engine-error.js';
import { PreparedRoot } from '../files/prepared-root.js';
import { type KernelConfig, parseKernelConfig } from './configuration/kernel-config.js';
import { type Reloaded, startKeys, withApplied } from './configuration/reload.js';
import type { DriverDefinition } from './definitions/driver.js';
import type { PluginDefinition } from './definitions/plugin.js';
import { EventBus } from './events/event-bus.js';
import type { OperatorCommand } from './hooks/driver-lifecycle.js';
import { EngineSettings } from './hooks/engine-settings.js';
import { PackageMeasurements } from './hooks/measurement.js';
import { type Orphan, PackageOrphans } from './hooks/orphan.js';
import type { Bundle } from './loading/load-package.js';
import { loadUnits } from './loading/load-units.js';
import { type Logger, silentLogger } from './logging/logger.js';
import { RecentLog } from './logging/recent-log.js';
import type { DriverPoint, DriverSet, ServicePoint } from './points/driver-point.js';
import { Points } from './units/points.js';
import { resolveRequirements, withoutMisfits } from './units/requirements.js';
import { RunningUnits } from './units/running-units.js';
import { refuseUnknownSections, sectionOf } from './units/sections.js';
import { settingsOf } from './units/settings-of.js';
import type { Unit } from './units/unit.js';
import { UnitContexts } from './units/unit-contexts.js';
import { PackageStatuses, type UnitStatus, UnitStatuses } from './units/unit-statuses.js';
import { UserNamespaces } from './user-namespaces/user-namespaces.js';

export interface KernelOptions {
  /** The kernel's configuration, as in the file; see `KernelConfig`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Definitions to load beside the configured packages, for programs that import them. */
  readonly use?: readonly (DriverDefinition<object> | PluginDefinition)[];
  /** Where relative and named packages are looked for; default: the working directory. */
  readonly from?: string;
  /** Where `extraPackages` are looked for first; default: `from`. */
  readonly extraFrom?: string;
  /** Without it each package is imported from its own directory. */
  readonly bundle?: Bundle;
  readonly log?: Logger;
  /** What was written to that log last, for packages that show it. */
  readonly recentLog?: RecentLog;
  /**
   * Drivers that the configuration had at the previous start, such as `volume/nfs`. The kernel does not start without one
   * that is in use.
   */
  readonly previousDrivers?: readonly string[];
}

/**
 * Starts the configured packages in the order of what they require, and stops them in exactly the reverse order.
 * A kernel starts once and stops once.
 */
export class Kernel {
  readonly events: EventBus;
  readonly #log: Logger;
  #config: KernelConfig;
  readonly #statuses = new UnitStatuses();
  readonly #points = new Points(() => this.#config, this.#statuses);
  readonly #userNamespaces = new UserNamespaces();
  readonly #running: RunningUnits;
  #units: readonly Unit[] = [];
  #stopped: Promise<void> | undefined;

  /** @throws EngineError `invalid-argument` naming the key that is wrong. */
  constructor(private readonly options: KernelOptions = {}) {
    this.#config = parseKernelConfig(options.config ?? {});
    this.#log = options.log ?? silentLogger;
    this.events = new EventBus((error) =>
      this.#log.error({ event: 'events.listener-failed', error }, 'a listener of the event bus threw'),
    );
    this.#points.root.registerInstance<PackageStatuses>(PackageStatuses, { list: () => this.statuses() });
    this.#points.root.registerInstance<EngineSettings>(EngineSettings, {
      read: () => settingsOf(this.#units, this.#config),
    });
    this.#points.root.registerInstance<PackageMeasurements>(PackageMeasurements, {
      take: (signal) => this.#running.measure(signal),
    });
    this.#points.root.registerInstance<PackageOrphans>(PackageOrphans, { find: () => this.findOrphans() });
    this.#points.root.registerInstance<RecentLog>(RecentLog, options.recentLog ?? { lines: () => [] });
    const config = () => this.#config;
    const contexts = new UnitContexts(config, this.#points, this.events, this.#log, this.#userNamespaces);
    this.#running = new RunningUnits(config, this.#points, contexts, this.#statuses, this.#log);
  }

  /** What holds now. */
  get config(): KernelConfig {
    return this.#config;
  }

  /** What became of each unit, in the order of the configuration, and drivers that have joined since. */
  statuses(): readonly UnitStatus[] {
    return this.#statuses.list(this.#units, this.#points.sets);
  }

  /** Optional packages that could not be loaded. */
  get unloadable(): readonly UnitStatus[] {
    return this.#statuses.unloadable;
  }

  /** Calls a listener whenever a driver joins or leaves. @returns ends that. */
  onDrivers(listener: () => void): () => void {
    return this.#points.onDrivers(listener);
  }

  /** Loads every package and parses every section, starting nothing. @throws EngineError naming what is wrong. */
  async load(): Promise<readonly Unit[]> {
    await this.#userNamespaces.prepare(this.#config);
    const units = await this.#load();
    for (const unit of units) sectionOf(unit, this.#config);
    return units;
  }

  #load(): Promise<readonly Unit[]> {
    const onFailed = (specifier: string, reason: string): void => {
      this.#statuses.leaveOut(specifier, reason);
      this.#log.error({ event: 'package.failed', package: specifier, reason }, 'package left out');
    };
    return loadUnits(this.#config, { ...this.options, onFailed });
  }

  /**
   * Starts everything; units that do not need each other start side by side. On rejection what had started is stopped.
   * @throws EngineError: one line naming the unit and the reason.
   */
  async start(): Promise<void> {
    await this.#userNamespaces.prepare(this.#config);
    const settled = await PreparedRoot.settle(this.#userNamespaces.dataRootIn(this.#config.dataRoot));
    if (settled !== undefined) {
      this.#log.warn(
        { event: 'kernel.restore-settled', outcome: settled },
        'a restore of the data root was interrupted',
      );
    }
    const loaded = await this.#load();
    const configured = loaded.filter((unit) => this.#hasValidSection(unit));
    const units = withoutMisfits(configured, (unit, reason) => this.#leaveOut(unit, reason));
    const requirements = resolveRequirements(units);
    this.#units = loaded;
    this.#observe(units);
    for (const unit of units) if (unit.kind !== undefined) this.#points.drivers(unit.kind);
    try {
      await this.#running.start(units, requirements);
      this.#refuseRemovedDrivers();
      await this.#running.ready();
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
      .filter((unit) => !unit.optional || this.#running.isRunning(unit))
      .map((unit) => ({ unit, config: sectionOf(unit, next) }))
      .filter(({ unit, config }) => !isDeepStrictEqual(config, sectionOf(unit, this.#config)));
    const applied: string[] = [];
    const waiting: string[] = startKeys.filter((key) => !isDeepStrictEqual(next[key], this.#config[key]));
    for (const { unit, config } of changed) {
      ((await this.#running.reconfigure(unit, config)) ? applied : waiting).push(unit.name);
    }
    this.#config = withApplied(this.#config, next, new Set(applied));
    this.#running.announceReload('reloaded');
    return { applied, waiting };
  }

  /** Announces that a reload begins, or has ended, to every package. */
  announceReload(moment: 'reloadBegins' | 'reloadEnds'): void {
    this.#running.announceReload(moment);
  }

  /** The orphans that the running packages find, in the order they started. */
  findOrphans(): Promise<readonly { readonly owner: string; readonly orphan: Orphan }[]> {
    return this.#running.findOrphans();
  }

  /** The commands that the running packages offer to operators, by name. */
  commands(): ReadonlyMap<string, OperatorCommand> {
    return this.#running.commands();
  }

  /** Calls the idle hook of every package. Never rejects. */
  onIdle(): Promise<void> {
    return this.#running.onIdle();
  }

  /** Stops everything in the reverse order, each unit within its deadline. Never rejects; a second call waits. */
  stop(): Promise<void> {
    this.#stopped ??= this.#running.stop();
    return this.#stopped;
  }

  /** The drivers of a kind, for programs that embed the kernel. */
  drivers<T>(point: DriverPoint<T>): DriverSet<T> {
    return this.#points.drivers(point);
  }

  /** A service, for programs that embed the kernel. @throws EngineError `not-found`. */
  service<T>(point: ServicePoint<T>): T {
    return this.#points.service(point);
  }

  /** Drivers of configured packages, whatever became of them. */
  configuredDrivers(): readonly string[] {
    return this.#units.filter(({ kind }) => kind !== undefined).map(({ name }) => name);
  }

  #observe(units: readonly Unit[]): void {
    const [unit, other] = units.filter(({ observer }) => observer !== undefined);
    if (other !== undefined) throw conflict(`${unit?.name} and ${other.name} both observe drivers: remove one of them`);
    if (unit !== undefined) this.#points.observer = unit.observer?.(sectionOf(unit, this.#config) as never);
  }

  #refuseRemovedDrivers(): void {
    const configured = this.configuredDrivers();
    const removed = (this.options.previousDrivers ?? []).filter((name) => !configured.includes(name));
    const uses = this.#running.driversInUse().filter(({ driver }) => removed.includes(driver));
    if (uses.length === 0) return;
    const drivers = [...new Set(uses.map(({ driver }) => driver))].join(', ');
    throw conflict(
      `the configuration lost drivers that are in use: ${drivers}, by ${uses.map(({ user }) => user).join(', ')}; ` +
        'add their packages again, and remove what uses them first',
    );
  }

  /** Leaves an optional unit out when its section is invalid. */
  #hasValidSection(unit: Unit): boolean {
    try {
      sectionOf(unit, this.#config);
      return true;
    } catch (error) {
      if (!unit.optional) throw error;
      this.#leaveOut(unit, messageOf(error));
      return false;
    }
  }

  /** An optional unit that is not started. */
  #leaveOut(unit: Unit, reason: string): void {
    this.#statuses.settle(unit, 'failed', reason);
    this.#log.error({ event: 'unit.failed', unit: unit.name, reason }, 'optional package left out');
  }
}
