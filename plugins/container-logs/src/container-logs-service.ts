import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type LogContainer, type LogDriver, LogDrivers } from '@gantry/core/contracts';
import { Config, type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { ContainerLogsConfig } from './config.js';
import type { Pump, PumpLimits, PumpOwner } from './pump/pump.js';
import { PumpHost } from './pump/pump-host.js';
import { WorkerPump } from './pump/worker-pump.js';
import { readLogs } from './reading/read-logs.js';
import type { ContainerLogs, LoggedContainer, LoggedContainers, LogRequest, LogSource } from './service.js';
import { findSpools, spoolName } from './spool/spool-files.js';
import { untilStill } from './spool/until-still.js';

/** The logs of all containers: their drivers, and the pumps that feed them. */
@injectable()
export class ContainerLogsService implements ContainerLogs {
  /** For drivers that can be made again in a worker thread, and for the others. */
  readonly #inWorker: WorkerPump;
  readonly #here: Pump;
  /** Which pump a container's output goes through. */
  readonly #pumps = new Map<string, Pump>();
  /** Containers whose log drivers did not always take lines. */
  readonly #troubled = new Set<string>();
  /** Removals that wait for a log driver, until there is trouble with it. */
  readonly #handingOver = new Map<string, AbortController>();
  /** Spools of containers that do not run are being looked for. */
  #sweeping: Promise<void> | undefined;
  #containers: LoggedContainers | undefined;

  constructor(
    @inject(LogDrivers.token) private readonly drivers: DriverSet<LogDriver>,
    @inject(Config) config: ContainerLogsConfig,
    @inject(Logger) log: Logger,
  ) {
    const limits: PumpLimits = { rotateAt: config.spoolFileBytes, backlog: config.spoolBacklogBytes };
    const owner: PumpOwner = {
      rotate: async (id) => this.#containers?.rotateSpool(id),
      report: (container, event, reason) => {
        log.warn({ event, container, reason }, 'log driver failed');
        if (this.#pumps.has(container)) this.#troubled.add(container);
        this.#handingOver.get(container)?.abort();
      },
    };
    const originOf = (id: string) => {
      const origin = drivers.origin(id);
      if (origin === undefined) throw new TypeError(`log driver ${id} has no origin`);
      return origin;
    };
    this.#inWorker = new WorkerPump(originOf, owner, limits);
    this.#here = new PumpHost(async (id) => drivers.get(id), owner, limits);
  }

  addContainers(containers: LoggedContainers): () => void {
    this.#containers = containers;
    return () => {
      if (this.#containers === containers) this.#containers = undefined;
    };
  }

  /** @throws EngineError `not-found`. */
  source(reference: string): LogSource {
    if (this.#containers === undefined) throw unavailable('no containers are available');
    return this.#containers.source(reference);
  }

  driverOf(container: LoggedContainer): LogDriver {
    return this.drivers.get(this.#driverId(container));
  }

  pathOf(container: LoggedContainer): string {
    return this.drivers.has(this.#driverId(container)) ? this.driverOf(container).path(container) : '';
  }

  spoolFor(container: LoggedContainer, since: bigint): string | undefined {
    if (this.driverOf(container).capabilities.discards) return undefined;
    return path.join(container.directory, spoolName(since));
  }

  prepare(container: LoggedContainer): void {
    if (!this.driverOf(container).capabilities.discards && this.#pumpOf(container) === this.#inWorker) {
      this.#inWorker.prepare(this.#driverId(container));
    }
  }

  start(container: LoggedContainer, spool: string): void {
    this.#open(container, spool);
  }

  resume(container: LoggedContainer): void {
    if (!this.driverOf(container).capabilities.discards) this.#open(container, undefined);
  }

  sweep(containers: readonly LoggedContainer[]): void {
    this.#sweeping = this.#sweep(containers).finally(() => {
      this.#sweeping = undefined;
    });
  }

  finish(id: string): void {
    this.#pumps.get(id)?.finish(id);
  }

  read(source: LogSource, request: LogRequest): AsyncIterable<Uint8Array> {
    return readLogs(this, source, request);
  }

  /** Resolves when all output written before the call can be read back. */
  async caughtUp(id: string): Promise<void> {
    await this.#sweeping;
    await this.#pumps.get(id)?.caughtUp(id);
  }

  /** The same, but waits for no disk that hangs: then what can be read is all there is for now. */
  async caughtUpOrStill({ id, directory }: LogContainer): Promise<void> {
    const caughtUp = this.caughtUp(id).then(() => true);
    // Mostly there is nothing to wait for, and a watch costs more than the rest of a short log.
    if (await Promise.race([caughtUp, setImmediate(false)])) return;
    const enough = new AbortController();
    void caughtUp.then(() => enough.abort());
    await untilStill(directory, { patience: 5000, signal: enough.signal });
  }

  async remove(container: LoggedContainer): Promise<void> {
    const { id } = container;
    if (this.#outlives(container)) await this.#handOver(container);
    await this.#pumps.get(id)?.drop(id);
    this.#pumps.delete(id);
    this.#troubled.delete(id);
    if (this.drivers.has(this.#driverId(container))) await this.driverOf(container).remove(container);
  }

  /** Releases memory that is only kept for speed. */
  onIdle(): void {
    this.#inWorker.onIdle();
  }

  /** Stops; containers go on writing their spools. */
  async close(): Promise<void> {
    await Promise.all([this.#inWorker.close(), this.#here.close()]);
  }

  #driverId({ driver }: LoggedContainer): string {
    return driver || this.drivers.defaultId || '';
  }

  /** A log that has no file of the container's is somewhere else. */
  #outlives(container: LoggedContainer): boolean {
    if (!this.drivers.has(this.#driverId(container))) return false;
    const driver = this.driverOf(container);
    return !driver.capabilities.discards && driver.path(container) === '';
  }

  async #handOver({ id, directory }: LoggedContainer): Promise<void> {
    const enough = new AbortController();
    this.#handingOver.set(id, enough);
    void this.caughtUp(id).then(() => enough.abort());
    await untilStill(directory, {
      patience: this.#troubled.has(id) ? 300 : 1000,
      longest: 10_000,
      signal: enough.signal,
    });
    this.#handingOver.delete(id);
  }

  #open(container: LoggedContainer, spool: string | undefined): void {
    const pump = this.#pumpOf(container);
    this.#pumps.set(container.id, pump);
    pump.open({ container, driver: this.#driverId(container), spool });
  }

  #pumpOf(container: LoggedContainer): Pump {
    const { worker } = this.driverOf(container).capabilities;
    return worker && this.drivers.origin(this.#driverId(container)) !== undefined ? this.#inWorker : this.#here;
  }

  async #sweep(containers: readonly LoggedContainer[]): Promise<void> {
    for (const container of containers) {
      if (this.#pumps.has(container.id)) continue;
      const spools = await findSpools(container.directory);
      // Started meanwhile: the reader of the new run has found what was left.
      if (spools.length === 0 || this.#pumps.has(container.id) || !this.drivers.has(this.#driverId(container)))
        continue;
      this.#open(container, undefined);
      this.finish(container.id);
    }
  }
}
