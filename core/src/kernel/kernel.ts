import { isDeepStrictEqual } from 'node:util';
import { Mutex } from '../concurrency/mutex.js';
import { conflict, messageOf, unavailable } from '../errors/engine-error.js';
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
import { broughtUnits, checkSections, type LoadedEntry, loadEntries } from './loading/load-units.js';
import { type ChangePlan, planChanges } from './loading/plan-changes.js';
import { type Logger, silentLogger } from './logging/logger.js';
import { RecentLog } from './logging/recent-log.js';
import type { DriverPoint, DriverSet, ServicePoint } from './points/driver-point.js';
import { Points } from './units/points.js';
import { resolveRequirements, withoutMisfits } from './units/requirements.js';
import type { Running } from './units/running.js';
import { RunningUnits } from './units/running-units.js';
import { refuseUnknownSections, sectionOf } from './units/sections.js';
import { settingsOf } from './units/settings-of.js';
import { isServicePoint, type Unit } from './units/unit.js';
import { UnitChanges } from './units/unit-changes.js';
import { UnitContexts } from './units/unit-contexts.js';
import { UnitLauncher } from './units/unit-launcher.js';
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

export interface ReloadOptions {
  /** Where packages are looked for now; default: where they were. */
  readonly from?: string;
  readonly extraFrom?: string;
  /** Rejects what would wait for the next start, instead of leaving it to that. */
  readonly isImmediate?: boolean;
  /**
   * Makes the configuration durable: called when what joins has started, before anything is replaced or leaves.
   * @returns undoes that, for what fails after it.
   */
  commit?(): Promise<() => Promise<void>>;
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
  readonly #changes: UnitChanges;
  /** Reloads are made one after the other. */
  readonly #reloads = new Mutex();
  readonly #brought: readonly Unit[];
  #entries: readonly LoadedEntry[] = [];
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
    const launcher = new UnitLauncher(config, this.#points, contexts, this.#log);
    const running: Running[] = [];
    this.#running = new RunningUnits(config, this.#points, launcher, this.#statuses, this.#log, running);
    this.#changes = new UnitChanges(config, this.#points, launcher, this.#statuses, this.#log, running);
    this.#brought = broughtUnits(options.use ?? []);
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

  async #load(): Promise<readonly Unit[]> {
    this.#entries = await this.#loadEntries(this.#config);
    const units = this.#unitsOf(this.#entries);
    checkSections(units, this.#config);
    return units;
  }

  #loadEntries(config: KernelConfig, places: ReloadOptions = {}): Promise<readonly LoadedEntry[]> {
    const onFailed = (specifier: string, reason: string): void => {
      this.#statuses.leaveOut(specifier, reason);
      this.#log.error({ event: 'package.failed', package: specifier, reason }, 'package left out');
    };
    return loadEntries(config, { ...this.options, ...places, onFailed }, this.#entries);
  }

  #unitsOf(entries: readonly LoadedEntry[]): readonly Unit[] {
    return [...this.#brought, ...entries.flatMap(({ units }) => units)];
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
   * Takes over what a changed configuration allows while everything runs: packages join, take over from other versions and
   * leave, the log level is the caller's, timeouts hold from now on, and changed sections go to the units that can take
   * them. The rest counts from the next start.
   * @throws EngineError naming what is wrong, such as what still uses a driver that is to leave; then nothing has changed.
   */
  reload(config: Readonly<Record<string, unknown>>, options: ReloadOptions = {}): Promise<Reloaded> {
    return this.#reloads.run(() => this.#reload(config, options));
  }

  async #reload(config: Readonly<Record<string, unknown>>, options: ReloadOptions): Promise<Reloaded> {
    if (this.#stopped !== undefined) throw unavailable('the daemon is stopping');
    const next = parseKernelConfig(config);
    const plan = planChanges(this.#entries, await this.#loadEntries(next, options));
    const units = this.#unitsOf(plan.entries);
    this.#checkPlan(plan, units, next, options.isImmediate === true);
    const waiting: string[] = [
      ...startKeys.filter((key) => !isDeepStrictEqual(next[key], this.#config[key])),
      ...plan.waiting.map(({ unit }) => unit.name),
    ];
    const changed = units
      .filter((unit) => this.#running.isRunning(unit) && !waiting.includes(unit.name))
      .map((unit) => ({ unit, config: sectionOf(unit, next) }))
      .filter(({ unit, config }) => !isDeepStrictEqual(config, sectionOf(unit, this.#config)));
    await this.#changePackages(plan, next, options);
    const nameOf = ({ name }: Unit): string => name;
    const joined = plan.joining.map(nameOf);
    const replaced = plan.replacing.map(({ newer }) => newer.name);
    const left = plan.leaving.map(nameOf);
    const applied: string[] = [];
    for (const { unit, config } of changed) {
      ((await this.#running.reconfigure(unit, config)) ? applied : waiting).push(unit.name);
    }
    this.#config = withApplied(this.#config, next, new Set([...applied, ...joined, ...replaced, ...left]));
    this.#entries = plan.entries;
    this.#units = units;
    this.#running.announceReload('reloaded');
    return { joined, replaced, left, applied, waiting };
  }

  /** @throws EngineError for what cannot be done. */
  #checkPlan(plan: ChangePlan, units: readonly Unit[], next: KernelConfig, isImmediate: boolean): void {
    const [first] = plan.waiting;
    if (isImmediate && first !== undefined) throw conflict(`${first.unit.name}: ${first.reason}`);
    refuseUnknownSections(units, next);
    const waiting = plan.waiting.map(({ unit }) => unit);
    for (const unit of units) if (!unit.optional && !waiting.includes(unit)) sectionOf(unit, next);
    const { joining, replacing, leaving } = plan;
    const starting = new Set([...joining, ...replacing.map(({ newer }) => newer)]);
    for (const unit of starting) sectionOf(unit, next);
    // Units that did not start are left out, as they are then.
    if (starting.size + leaving.length > 0) {
      resolveRequirements(units.filter((unit) => starting.has(unit) || this.#running.isRunning(unit)));
    }
    for (const unit of leaving) this.#changes.refuseLeave(unit);
  }

  /** All of it, or none. */
  async #changePackages(plan: ChangePlan, next: KernelConfig, { commit }: ReloadOptions): Promise<void> {
    const before = this.#config;
    const undo: (() => Promise<void>)[] = [];
    try {
      for (const unit of inOrder(plan.joining)) {
        await this.#changes.join(unit, sectionOf(unit, next));
        undo.push(() => this.#changes.leave(unit));
      }
      const revoke = await commit?.();
      if (revoke !== undefined) undo.push(revoke);
      for (const { older, newer } of plan.replacing) {
        await this.#changes.replace(older, newer, sectionOf(newer, next));
        undo.push(() => this.#changes.replace(newer, older, sectionOf(older, before)));
      }
      for (const unit of plan.leaving) {
        await this.#changes.leave(unit);
        undo.push(() => this.#changes.join(unit, sectionOf(unit, before)));
      }
    } catch (error) {
      const failures: string[] = [];
      for (const step of undo.reverse()) await step().catch((fault: unknown) => failures.push(messageOf(fault)));
      if (failures.length === 0) throw error;
      throw unavailable(`${messageOf(error)}; and it was not undone: ${failures.join('; ')}`, { cause: error });
    }
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
    this.#stopped ??= this.#reloads.run(async () => {
      await this.#running.stop();
      await this.#changes.stop();
    });
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

/** Those first that others of them require. */
function inOrder(units: readonly Unit[]): readonly Unit[] {
  const ordered = new Set<Unit>();
  const add = (unit: Unit): void => {
    const before = units.filter(
      (other) =>
        other !== unit &&
        !ordered.has(other) &&
        unit.requires.some((point) =>
          isServicePoint(point)
            ? other.provides.some(({ token }) => token === point.token)
            : other.kind?.token === point.token,
        ),
    );
    before.forEach(add);
    ordered.add(unit);
  };
  units.forEach(add);
  return [...ordered];
}
