import { settlesWithin, withDeadline } from '../../concurrency/deadline.js';
import { conflict, DriverSkipped, EngineError, kindOf, messageOf, unavailable } from '../../errors/engine-error.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import type { DriverUse } from '../hooks/driver-use.js';
import type { Logger } from '../logging/logger.js';
import { chooseDefault } from '../points/choose-default.js';
import type { DriverHandle } from '../points/driver-handle.js';
import type { Points } from './points.js';
import type { Running } from './running.js';
import { stepDeadline } from './step-deadline.js';
import type { Unit } from './unit.js';
import type { UnitLauncher } from './unit-launcher.js';
import type { UnitStatuses } from './unit-statuses.js';

/** Lets single units join, take over from each other and leave while the others work. */
export class UnitChanges {
  /** Older versions that finish what is under way. */
  readonly #retiring = new Set<Running>();

  constructor(
    private readonly config: () => KernelConfig,
    private readonly points: Points,
    private readonly launcher: UnitLauncher,
    private readonly statuses: UnitStatuses,
    private readonly log: Logger,
    /** In the order of start. */
    private readonly running: Running[],
  ) {}

  /** Starts a unit beside those that run. On rejection nothing of it is left. */
  async join(unit: Unit, section: unknown): Promise<void> {
    this.#refuseNewDefault(unit);
    const joined = await this.launcher.launch(unit, section).catch((error: unknown) => {
      throw failure(`${unit.name} cannot start`, error);
    });
    await this.launcher.enlist(joined);
    this.running.push(joined);
    try {
      await this.launcher.ready(joined);
    } catch (error) {
      this.#forget(joined);
      await this.launcher.stop(joined);
      throw failure(`${unit.name} cannot start`, error);
    }
    this.statuses.settle(unit, 'ready');
    this.log.info({ event: 'unit.joined', unit: unit.name, ...versionOf(unit) }, 'package joined');
  }

  /**
   * Has another version of a driver take over, as its kind provides for it; calls wait meanwhile, and none is refused.
   * On rejection the older version answers as before.
   */
  async replace(older: Unit, newer: Unit, section: unknown): Promise<void> {
    const running = this.#find(older);
    if (running === undefined) return this.join(newer, section);
    const reason = older.kind?.refusesTakeover?.(running.instance);
    if (reason !== undefined)
      throw conflict(`${older.name}: ${reason}; another version takes over when the daemon starts`);
    const began = performance.now();
    if (newer.kind?.takeover === 'overlapping') await this.#overlap(running, newer, section);
    else await this.#succeed(running, newer, section);
    this.statuses.forget(older);
    this.statuses.settle(newer, 'ready');
    const tookMs = Math.round(performance.now() - began);
    const facts = { event: 'unit.replaced', unit: newer.name, ...versionOf(newer), tookMs };
    this.log.info({ ...facts, previous: older.package.version }, 'driver replaced');
  }

  /** Stops a unit that nothing uses. Rejects `conflict` naming the users of one that is in use, and leaves it running. */
  async leave(unit: Unit): Promise<void> {
    const running = this.#find(unit);
    if (running === undefined) {
      this.statuses.forget(unit);
      return;
    }
    const { handle } = running;
    const isExclusive = unit.kind?.takeover === 'exclusive';
    if (isExclusive) handle?.close();
    try {
      if (isExclusive) await this.#untilIdle(running);
      this.refuseLeave(unit);
    } catch (error) {
      handle?.open();
      throw error;
    }
    this.#forget(running);
    running.leaveSet?.();
    this.points.withdraw(unit.provides);
    await this.launcher.drain(running);
    const gone = new EngineError('not-found', `there is no ${unit.kind?.kind} driver "${unit.id}" any more`);
    if (isExclusive) handle?.end(gone);
    if (isExclusive || handle === undefined) await this.launcher.stop(running);
    else this.#retire(running, handle.current);
    this.statuses.forget(unit);
    this.log.info({ event: 'unit.left', unit: unit.name, ...versionOf(unit) }, 'package left');
  }

  /** @throws EngineError `conflict` naming what uses a driver, or the kind that it is the default of. */
  refuseLeave(unit: Unit): void {
    const { kind, name, id } = unit;
    const users = usersIn(this.running, name);
    if (users.length > 0) {
      const more = users.length > 10 ? ` and ${users.length - 10} more` : '';
      throw conflict(`${name} is in use by ${users.slice(0, 10).join(', ')}${more}; remove what uses it first`);
    }
    if (kind === undefined || this.#find(unit) === undefined) return;
    const set = this.points.drivers(kind);
    if (set.defaultId === id && set.ids.length > 1) {
      throw conflict(
        `${name} is the default ${kind.kind} driver; name another one in "defaults" and restart the daemon`,
      );
    }
  }

  /** Stops the older versions that have not finished. Never rejects. */
  async stop(): Promise<void> {
    await Promise.all([...this.#retiring].map((running) => this.#stopRetired(running)));
  }

  /** The newer version starts beside the older one. */
  async #overlap(older: Running, newer: Unit, section: unknown): Promise<void> {
    const next = await this.#start(newer, section);
    const underWay = older.handle?.current;
    await this.launcher.exchange(older, next);
    this.#put(older, next);
    try {
      await this.#announce(next);
    } catch (error) {
      await this.launcher.exchange(next, older);
      this.#put(next, older);
      await this.#announceReturn(older);
      await this.launcher.stop(next);
      throw failure(`${newer.name} cannot take over`, error);
    }
    if (underWay !== undefined) this.#retire(older, underWay);
  }

  /** The newer version starts once the older one has stopped. */
  async #succeed(older: Running, newer: Unit, section: unknown): Promise<void> {
    const { handle } = older;
    if (handle === undefined) throw conflict(`${older.unit.name} cannot be replaced while the daemon runs`);
    await this.launcher.probe(newer, section).catch((error: unknown) => {
      throw failure(`${newer.name} cannot start`, error);
    });
    handle.close();
    try {
      await this.#untilIdle(older);
      await this.#swap(older, newer, section);
    } finally {
      handle.open();
    }
  }

  async #swap(older: Running, newer: Unit, section: unknown): Promise<void> {
    const { handle, leaveSet, ...stopped } = older;
    await this.launcher.stop(stopped);
    try {
      await this.#install(older, newer, section);
    } catch (error) {
      const reason = failure(`${newer.name} cannot take over`, error);
      try {
        await this.#install(this.#holder(handle, older), older.unit, older.section);
      } catch (fault) {
        this.#forget(this.#holder(handle, older));
        leaveSet?.();
        const message = `${reason.message}, and the older version cannot start again: ${messageOf(fault)}`;
        this.statuses.settle(older.unit, 'failed', messageOf(fault));
        handle?.end(unavailable(message));
        throw unavailable(message, { cause: fault });
      }
      throw reason;
    }
  }

  /** The entry of the version that has the handle now. */
  #holder(handle: DriverHandle | undefined, older: Running): Running {
    return this.running.find((running) => running.handle === handle) ?? older;
  }

  /** Starts a version in the place of one that has stopped, and has packages repeat what they asked of it. */
  async #install(place: Running, unit: Unit, section: unknown): Promise<void> {
    const next = await this.#start(unit, section);
    await this.launcher.exchange(place, next);
    this.#put(place, next);
    try {
      await this.#announce(next);
    } catch (error) {
      const { leaveSet: _, ...stopped } = next;
      await this.launcher.stop(stopped);
      throw error;
    }
  }

  async #start(unit: Unit, section: unknown): Promise<Running> {
    const next = await this.launcher.launch(unit, section).catch((error: unknown) => {
      throw failure(`${unit.name} cannot start`, error);
    });
    try {
      await this.launcher.ready(next);
      return next;
    } catch (error) {
      await this.launcher.stop(next);
      throw failure(`${unit.name} cannot start`, error);
    }
  }

  async #announce({ unit: { name }, instance }: Running): Promise<void> {
    const replaced = { name, driver: instance };
    await Promise.all(
      this.running.map(({ unit, hooks }) =>
        withDeadline(
          stepDeadline(`${unit.name}: repeating what it asked of ${name}`, this.config().startTimeoutSeconds * 1000),
          async (signal) => hooks.driverReplaced?.(replaced, signal),
        ),
      ),
    );
  }

  async #announceReturn(older: Running): Promise<void> {
    await this.#announce(older).catch((error: unknown) => {
      const facts = { event: 'unit.return-failed', unit: older.unit.name, error };
      this.log.error(facts, 'failed to return to the older version of a driver everywhere');
    });
  }

  async #untilIdle({ handle, unit }: Running): Promise<void> {
    if (handle === undefined) return;
    const { stopTimeoutSeconds } = this.config();
    if (await settlesWithin(handle.current.idle(), stopTimeoutSeconds * 1000)) return;
    throw unavailable(
      `${unit.name}: calls have not ended within ${stopTimeoutSeconds} s (${handle.current.underWay}); nothing was changed`,
    );
  }

  /** Stops a version once its calls have ended. */
  #retire(running: Running, calls: DriverHandle['current']): void {
    this.#retiring.add(running);
    void calls.idle().then(() => this.#stopRetired(running));
  }

  async #stopRetired(running: Running): Promise<void> {
    if (!this.#retiring.delete(running)) return;
    await this.launcher.stop(running);
  }

  /** What joins must not change what is used where none is asked for: packages keep the drivers they have. */
  #refuseNewDefault({ kind, id, name }: Unit): void {
    if (kind === undefined) return;
    const set = this.points.drivers(kind);
    if (set.defaultId === undefined || chooseDefault(set.preferred, [...set.ids, id]) === set.defaultId) return;
    throw conflict(
      `${name} would become the default ${kind.kind} driver instead of ${set.defaultId}: that needs a restart of the daemon`,
    );
  }

  #find(unit: Unit): Running | undefined {
    return this.running.find((running) => running.unit === unit);
  }

  #put(older: Running, newer: Running): void {
    this.running[this.running.indexOf(older)] = newer;
  }

  #forget(running: Running): void {
    const index = this.running.indexOf(running);
    if (index >= 0) this.running.splice(index, 1);
  }
}

/** Who uses a driver: what runs, and what is stored. */
function usersIn(running: readonly Running[], name: string): readonly string[] {
  const uses = running.flatMap(({ hooks }): readonly DriverUse[] => [
    ...(hooks.driversInUse?.() ?? []),
    ...(hooks.driverReferences?.() ?? []),
  ]);
  return [...new Set(uses.filter(({ driver }) => driver === name).map(({ user }) => user))];
}

const versionOf = (unit: Unit) => ({ package: unit.package.name, version: unit.package.version });

/** An error of a package with what it kept from happening; its kind stays. */
function failure(what: string, error: unknown): EngineError {
  if (error instanceof EngineError && error.message.startsWith(what)) return error;
  const kind = DriverSkipped.is(error) || kindOf(error) === 'internal' ? 'unavailable' : kindOf(error);
  return new EngineError(kind, `${what}: ${messageOf(error)}`, { cause: error });
}
