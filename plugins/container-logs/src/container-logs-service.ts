import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type LogDriver, LogDrivers } from '@gantry/core/contracts';
import { Config, type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import type { ContainerLogsConfig } from './config.js';
import { KnownContainers } from './known-containers.js';
import { OpenLogs } from './open-logs.js';
import type { PumpLimits, PumpOwner } from './pump.js';
import { OpenReads } from './reading/open-reads.js';
import { type CatchUpOptions, readLogs } from './reading/read-logs.js';
import type { ContainerLogs, LoggedContainer, LoggedContainers, LogRequest, LogSource } from './service.js';
import { findSpools, spoolName } from './spool/spool-files.js';
import { untilStalled } from './spool/until-stalled.js';
import { StallTimeouts } from './stall-timeouts.js';

/** Milliseconds that a removal waits for a log driver: one that has failed before, and any. */
const failingRemoval = 300;
const maxDelivery = 10_000;

/** The logs of all containers: their drivers, and the pumps that feed them. */
@injectable()
export class ContainerLogsService implements ContainerLogs {
  readonly open: OpenLogs;
  /** Containers whose log drivers have reported errors. */
  readonly #failing = new Set<string>();
  /** Removals that wait for a log driver, which end when it fails. */
  readonly #delivering = new Map<string, AbortController>();
  readonly #reads = new OpenReads();
  /** Containers whose next run is being prepared: it may write its spool before it is announced. */
  readonly #starting = new Set<string>();

  constructor(
    @inject(LogDrivers.token) private readonly drivers: DriverSet<LogDriver>,
    @inject(Config) config: ContainerLogsConfig,
    @inject(StallTimeouts) private readonly timeouts: StallTimeouts,
    @inject(KnownContainers) private readonly known: KnownContainers,
    @inject(Logger) log: Logger,
  ) {
    const limits: PumpLimits = { rotateAt: config.spoolFileBytes, backlog: config.spoolBacklogBytes };
    const owner: PumpOwner = {
      rotate: (id) => this.known.rotateSpool(id),
      report: (container, event, reason) => {
        log.warn({ event, container, reason }, 'log driver failed');
        if (this.open.has(container)) this.#failing.add(container);
        this.#delivering.get(container)?.abort();
      },
      log: (level, facts, words) => log[level](facts, words),
    };
    this.open = new OpenLogs(drivers, owner, limits);
  }

  addContainers(containers: LoggedContainers): () => void {
    return this.known.add(containers);
  }

  driverOf(container: LoggedContainer): LogDriver {
    return this.drivers.get(this.open.driverId(container));
  }

  pathOf(container: LoggedContainer): string {
    return this.drivers.has(this.open.driverId(container)) ? this.driverOf(container).path(container) : '';
  }

  spoolFor(container: LoggedContainer, since: bigint): string | undefined {
    if (this.driverOf(container).capabilities.discards) return undefined;
    this.#starting.add(container.id);
    return path.join(container.directory, spoolName(since));
  }

  prepare(container: LoggedContainer): void {
    if (!this.driverOf(container).capabilities.discards) this.open.prepare(container);
  }

  start(container: LoggedContainer, spool: string): void {
    this.#open(container, spool);
  }

  resume(container: LoggedContainer): void {
    if (!this.driverOf(container).capabilities.discards) this.#open(container, undefined);
  }

  async sweep(containers: readonly LoggedContainer[]): Promise<void> {
    for (const container of containers) await this.#consumeRest(container);
  }

  finish(id: string): void {
    this.#starting.delete(id);
    this.open.finish(id);
  }

  read(source: LogSource, request: LogRequest): AsyncIterable<Uint8Array> {
    return this.#reads.track(source.container.id, readLogs(this, source, request));
  }

  /** Resolves when all output written before the call can be read back. */
  async caughtUp(container: LoggedContainer, { isRunning }: { readonly isRunning: boolean }): Promise<void> {
    if (!isRunning) await this.#consumeRest(container);
    await this.open.caughtUp(container.id);
  }

  /**
   * Waits until all output written before the call can be read back.
   * @returns false when the driver makes no progress: what can be read is incomplete.
   */
  async catchUp(container: LoggedContainer, options: CatchUpOptions): Promise<boolean> {
    const { id, directory } = container;
    let hasCaughtUp = false;
    const caughtUp = this.caughtUp(container, options).then(
      () => {
        hasCaughtUp = true;
      },
      () => undefined, // the pump has reported why, and tries again
    );
    // Mostly there is nothing to wait for, and watching costs more than reading a short log.
    await Promise.race([caughtUp, setImmediate()]);
    if (hasCaughtUp) return true;
    const done = new AbortController();
    void caughtUp.then(() => done.abort());
    const { running, exited, failing } = this.timeouts;
    const stallTimeout = this.#failing.has(id) ? failing : options.isRunning ? running : exited;
    await untilStalled(directory, { stallTimeout, signal: AbortSignal.any([done.signal, options.signal]) });
    return hasCaughtUp || options.signal.aborted;
  }

  async remove(container: LoggedContainer): Promise<void> {
    const { id } = container;
    if (this.#outlives(container) || this.#reads.has(id)) await this.#deliver(container);
    await this.#reads.settled(id);
    await this.open.drop(id);
    this.#failing.delete(id);
    if (this.drivers.has(this.open.driverId(container))) await this.driverOf(container).remove(container);
  }

  /** Releases memory that is only kept for speed. */
  onIdle(): void {
    this.open.onIdle();
  }

  /** Stops; containers continue to write their spools. */
  async close(): Promise<void> {
    await this.open.close();
  }

  /** A log without a file in the container's directory is kept elsewhere. */
  #outlives(container: LoggedContainer): boolean {
    if (!this.drivers.has(this.open.driverId(container))) return false;
    const driver = this.driverOf(container);
    return !driver.capabilities.discards && driver.path(container) === '';
  }

  /** Waits until the log driver has everything, but not for one that fails or stalls. */
  async #deliver(container: LoggedContainer): Promise<void> {
    const { id, directory } = container;
    const done = new AbortController();
    this.#delivering.set(id, done);
    const end = (): void => done.abort();
    void this.caughtUp(container, { isRunning: false }).then(end, end);
    const stallTimeout = this.#failing.has(id) ? failingRemoval : this.timeouts.removal;
    await untilStalled(directory, { stallTimeout, timeout: maxDelivery, signal: done.signal });
    this.#delivering.delete(id);
  }

  #open(container: LoggedContainer, spool: string | undefined): void {
    this.#starting.delete(container.id);
    this.open.open(container, spool);
  }

  /** Writes what an earlier daemon left in the spools of a container that does not run. */
  async #consumeRest(container: LoggedContainer): Promise<void> {
    const isKnown = () => this.open.has(container.id) || this.#starting.has(container.id);
    if (isKnown()) return;
    const spools = await findSpools(container.directory);
    // Started meanwhile: the reader of the new run finds these spools.
    if (spools.length === 0 || isKnown() || !this.drivers.has(this.open.driverId(container))) return;
    this.#open(container, undefined);
    this.finish(container.id);
  }
}
