import { withDeadline } from '../../concurrency/deadline.js';
import { DriverSkipped, EngineError, kindOf, messageOf } from '../../errors/engine-error.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import type { OperatorCommand } from '../hooks/driver-lifecycle.js';
import type { DriverUse } from '../hooks/driver-use.js';
import type { Measurement } from '../hooks/measurement.js';
import type { Orphan } from '../hooks/orphan.js';
import type { Logger } from '../logging/logger.js';
import type { Points } from './points.js';
import type { Requirements } from './requirements.js';
import type { Running } from './running.js';
import { sectionOf } from './sections.js';
import { stepDeadline } from './step-deadline.js';
import type { Unit } from './unit.js';
import type { UnitLauncher } from './unit-launcher.js';
import type { UnitStatuses } from './unit-statuses.js';

/** Starts all units and stops them again, and calls their hooks, each within its deadline. */
export class RunningUnits {
  constructor(
    private readonly config: () => KernelConfig,
    private readonly points: Points,
    private readonly launcher: UnitLauncher,
    private readonly statuses: UnitStatuses,
    private readonly log: Logger,
    /** In the order of start. */
    private readonly running: Running[],
  ) {}

  /** Starts those first that others require, and those side by side that do not need each other. */
  async start(units: readonly Unit[], requirements: Requirements): Promise<void> {
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
    this.#warnOfFallbacks();
  }

  /** A default driver that stands in for a better one is never silent. */
  #warnOfFallbacks(): void {
    for (const { kind, defaultId, unavailableDefault } of this.points.sets) {
      if (unavailableDefault === undefined) continue;
      const facts = { kind, driver: defaultId, preferred: unavailableDefault.id, reason: unavailableDefault.reason };
      this.log.warn({ event: 'driver.fallback', ...facts }, 'the preferred driver is unavailable; using another one');
    }
  }

  /** Calls the `ready` hooks in the order of start. An optional unit that fails is stopped and left out. */
  async ready(): Promise<void> {
    for (const running of [...this.running]) {
      if (running.hooks.ready === undefined) continue;
      try {
        await this.launcher.ready(running);
      } catch (error) {
        this.#settleFailure(running.unit, error);
        this.running.splice(this.running.indexOf(running), 1);
        await this.launcher.stop(running);
      }
    }
  }

  isRunning(unit: Unit): boolean {
    return this.running.some((running) => running.unit === unit);
  }

  /** Whether a unit has taken over a changed section. */
  async reconfigure(unit: Unit, config: unknown): Promise<boolean> {
    const running = this.running.find((each) => each.unit === unit);
    if (running?.hooks.reconfigure === undefined) return false;
    try {
      await this.#within(unit, 'reconfiguring', (signal) => running.hooks.reconfigure?.(config, signal));
      running.section = config;
      return true;
    } catch (error) {
      const facts = { event: 'unit.reconfigure-failed', unit: unit.name, error };
      this.log.error(facts, 'failed to reconfigure; keeping the old configuration');
      return false;
    }
  }

  /** Calls a hook of reloads, in the order of start. Never throws. */
  announceReload(hook: 'reloadBegins' | 'reloaded' | 'reloadEnds'): void {
    for (const { unit, hooks } of this.running) {
      try {
        hooks[hook]?.();
      } catch (err) {
        this.log.error({ event: 'unit.reload-hook-failed', unit: unit.name, hook, err }, 'hook of a reload failed');
      }
    }
  }

  /** The orphans each unit finds, in the order they started. */
  async findOrphans(): Promise<readonly { readonly owner: string; readonly orphan: Orphan }[]> {
    const found = await Promise.all(
      this.running.map(async ({ unit, hooks }) => {
        const orphans = await this.#within(unit, 'finding orphans', () => hooks.findOrphans?.());
        return (orphans ?? []).map((orphan) => ({ owner: unit.name, orphan }));
      }),
    );
    return found.flat();
  }

  /** What the units measure, asked side by side. Never rejects. */
  async measure(signal: AbortSignal): Promise<readonly Measurement[]> {
    const taken = await Promise.all(
      this.running.map(async ({ unit, hooks }) => {
        try {
          return (await this.#within(unit, 'measuring', (limit) => hooks.measure?.(limit), signal)) ?? [];
        } catch (err) {
          this.log.warn({ event: 'unit.measure-failed', unit: unit.name, err }, 'failed to measure a package');
          return [];
        }
      }),
    );
    return taken.flat();
  }

  /** The commands that units offer to operators; of two with one name, that of the first to start. */
  commands(): ReadonlyMap<string, OperatorCommand> {
    return new Map([...this.running].reverse().flatMap(({ hooks }) => Object.entries(hooks.commands ?? {})));
  }

  /** The drivers that units need for what runs. */
  driversInUse(): readonly DriverUse[] {
    return this.running.flatMap(({ hooks }) => hooks.driversInUse?.() ?? []);
  }

  /** Calls the idle hooks in the reverse order of start. Never rejects. */
  async onIdle(): Promise<void> {
    for (const { unit, hooks } of [...this.running].reverse()) {
      try {
        await this.#within(unit, 'becoming idle', () => hooks.onIdle?.());
      } catch (error) {
        this.log.warn({ event: 'unit.idle-failed', unit: unit.name, error }, 'idle hook failed');
      }
    }
  }

  /**
   * Stops everything. First all units refuse new work and finish what runs, while everything it uses is still there; then
   * they stop one after the other in the reverse order of start. Never rejects.
   */
  async stop(): Promise<void> {
    await Promise.all(this.running.map((running) => this.launcher.drain(running)));
    for (let next = this.running.pop(); next !== undefined; next = this.running.pop()) await this.launcher.stop(next);
  }

  /** Work of a hook, within the time that a package has to start. */
  async #within<T>(
    unit: Unit,
    step: string,
    work: (signal: AbortSignal) => Promise<T> | T,
    signal?: AbortSignal,
  ): Promise<T> {
    const milliseconds = this.config().startTimeoutSeconds * 1000;
    return withDeadline({ ...stepDeadline(`${unit.name}: ${step}`, milliseconds), signal }, work);
  }

  async #startUnit(unit: Unit): Promise<void> {
    const began = performance.now();
    try {
      const running = await this.launcher.launch(unit, sectionOf(unit, this.config()));
      await this.launcher.enlist(running);
      this.running.push(running);
      this.statuses.settle(unit, 'ready');
      this.log.debug({ event: 'unit.ready', unit: unit.name, tookMs: Math.round(performance.now() - began) }, 'ready');
    } catch (error) {
      this.#settleFailure(unit, error);
    }
  }

  #settleFailure(unit: Unit, error: unknown): void {
    const reason = messageOf(error);
    const skipped = DriverSkipped.is(error);
    this.statuses.settle(unit, skipped ? 'skipped' : 'failed', reason);
    if (skipped) {
      this.log.info({ event: 'driver.skipped', driver: unit.name, reason }, 'driver skipped');
      return;
    }
    // An expected error of a required unit ends the start with its message; anything else needs its stack.
    if (unit.optional || kindOf(error) === 'internal') {
      this.log.error({ event: 'unit.failed', unit: unit.name, reason, error }, 'package failed');
    }
    if (!unit.optional) {
      throw new EngineError('unavailable', `${unit.name} cannot start: ${reason}`, { cause: error });
    }
  }
}
