import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withDeadline } from '../../concurrency/deadline.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import type { DriverLifecycle } from '../hooks/driver-lifecycle.js';
import type { Constructed } from '../injection/package-container.js';
import { Lifetime } from '../lifetime/lifetime.js';
import type { Logger } from '../logging/logger.js';
import { DriverHandle } from '../points/driver-handle.js';
import { checkMethods } from './check-methods.js';
import type { Points } from './points.js';
import type { Running } from './running.js';
import { stepDeadline } from './step-deadline.js';
import type { Unit } from './unit.js';
import type { OpenOptions, UnitContexts } from './unit-contexts.js';

/** Creates, starts and stops single units, each step within its deadline. */
export class UnitLauncher {
  constructor(
    private readonly config: () => KernelConfig,
    private readonly points: Points,
    private readonly contexts: UnitContexts,
    private readonly log: Logger,
  ) {}

  /** Creates and starts a unit, which no one else sees yet. On rejection nothing of it is left. */
  async launch(unit: Unit, section: unknown): Promise<Running> {
    const lifetime = new Lifetime();
    const stopping = new AbortController();
    try {
      this.points.refuseEmpty(unit);
      let pending = unit.kind === undefined ? 'setup()' : 'create()';
      const { instance, hooks } = await withDeadline(
        stepDeadline(`${unit.name}: starting`, this.#startMs, () => pending),
        async (signal) => {
          const created = await this.#create(unit, { section, lifetime, stopSignal: stopping.signal });
          pending = 'start()';
          await created.hooks.start?.(signal);
          return created;
        },
      );
      return { unit, instance, lifetime, hooks, stopping, section };
    } catch (error) {
      stopping.abort();
      await lifetime.release().catch((fault: unknown) => this.#reportRelease(unit, fault));
      throw error;
    }
  }

  /** Adds a driver to its set: from now on it is used. On rejection it is stopped. */
  async enlist(running: Running): Promise<void> {
    const { unit, instance, section } = running;
    if (unit.kind === undefined) return;
    try {
      const origin = await this.contexts.originOf(unit, section);
      const { takeover, synchronous } = unit.kind;
      if (takeover !== undefined) running.handle = new DriverHandle(instance, synchronous);
      running.leaveSet = this.points.drivers(unit.kind).add(unit.id, running.handle?.driver ?? instance, origin);
    } catch (error) {
      await this.stop(running);
      throw error;
    }
  }

  /** Makes a driver that has been launched the one that answers in the place of another version. */
  async exchange(older: Running, newer: Running): Promise<void> {
    const { kind, id } = newer.unit;
    const { handle, leaveSet } = older;
    if (kind === undefined || handle === undefined || leaveSet === undefined) return;
    const origin = await this.contexts.originOf(newer.unit, newer.section);
    handle.exchange(newer.instance);
    Object.assign(newer, { handle, leaveSet });
    delete older.handle;
    delete older.leaveSet;
    this.points.drivers(kind).replaceOrigin(id, origin);
  }

  /** Creates a driver in directories that are removed again, and checks its methods: whether it could be launched. */
  async probe(unit: Unit, section: unknown): Promise<void> {
    const lifetime = new Lifetime();
    const stopping = new AbortController();
    const directory = await mkdtemp(path.join(tmpdir(), 'gantry-probe-'));
    lifetime.add(() => rm(directory, { recursive: true, force: true }));
    try {
      const dirs = { root: path.join(directory, 'root'), state: path.join(directory, 'state') };
      for (const each of Object.values(dirs)) await mkdir(each);
      await withDeadline(stepDeadline(`${unit.name}: creating`, this.#startMs), () =>
        this.#create(unit, { section, lifetime, stopSignal: stopping.signal, dirs }),
      );
    } finally {
      stopping.abort();
      await lifetime.release().catch((fault: unknown) => this.#reportRelease(unit, fault));
    }
  }

  /** Calls the `ready` hook. */
  async ready({ unit, hooks }: Running): Promise<void> {
    const step = stepDeadline(`${unit.name}: getting ready`, this.#startMs, () => 'ready()');
    await withDeadline(step, async (signal) => hooks.ready?.(signal));
  }

  /** Refuses new work and finishes what runs. Never rejects. */
  async drain({ unit, hooks }: Running): Promise<void> {
    try {
      const step = stepDeadline(`${unit.name}: draining`, this.#stopMs, () => 'drain()');
      await withDeadline(step, async (signal) => hooks.drain?.(signal));
    } catch (error) {
      this.log.error({ event: 'unit.drain-failed', unit: unit.name, error }, 'failed to finish running work');
    }
  }

  /** Stops a unit, takes it out of its set and releases its resources. Never rejects. */
  async stop({ unit, hooks, lifetime, leaveSet, stopping }: Running): Promise<void> {
    stopping.abort();
    try {
      const step = stepDeadline(`${unit.name}: stopping`, this.#stopMs, () => 'stop()');
      await withDeadline(step, async (signal) => hooks.stop?.(signal));
    } catch (error) {
      this.log.error({ event: 'unit.stop-failed', unit: unit.name, error }, 'stop failed');
    }
    leaveSet?.();
    try {
      const step = stepDeadline(`${unit.name}: releasing its resources`, this.#stopMs);
      await withDeadline(step, () => lifetime.release());
    } catch (error) {
      this.#reportRelease(unit, error);
    }
  }

  get #stopMs(): number {
    return this.config().stopTimeoutSeconds * 1000;
  }

  get #startMs(): number {
    return this.config().startTimeoutSeconds * 1000;
  }

  /** Calls `create` or `setup`, and constructs the class it returns. */
  async #create(unit: Unit, options: OpenOptions): Promise<Constructed> {
    const { context, container } = await this.contexts.open(unit, options);
    const created = (await unit.create(context)) ?? {};
    await container.prepare();
    const constructed = container.construct<DriverLifecycle>(created);
    if (unit.kind !== undefined) checkMethods(unit.name, unit.kind, constructed.instance);
    for (const { point, service } of container.services()) this.points.provide(point, service);
    return constructed;
  }

  #reportRelease(unit: Unit, error: unknown): void {
    this.log.error({ event: 'unit.release-failed', unit: unit.name, error }, 'failed to release resources');
  }
}
