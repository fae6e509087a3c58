import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { LogContainer, LogDriver, RuntimeDriver } from '@gantry/core/contracts';
import type { DriverSet, Logger } from '@gantry/core/driver';
import type { ContainerRecord } from '../record.js';
import type { Pump, PumpLimits, PumpOwner } from './pump.js';
import { PumpHost } from './pump-host.js';
import { findSpools, spoolName } from './spool-files.js';
import { untilStill } from './until-still.js';
import { WorkerPump } from './worker-pump.js';

export interface LogParts {
  readonly drivers: DriverSet<LogDriver>;
  readonly limits: PumpLimits;
  readonly log: Logger;
  /** Holds a directory for each container. */
  readonly root: string;
  runtimeOf(containerId: string): RuntimeDriver | undefined;
}

/** The logs of all containers: their drivers, and the pumps that feed them. */
export class ContainerLogs {
  readonly #parts: LogParts;
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

  constructor(parts: LogParts) {
    this.#parts = parts;
    const owner: PumpOwner = {
      rotate: async (id) => parts.runtimeOf(id)?.rotateSpool(id),
      report: (container, event, reason) => {
        parts.log.warn({ event, container, reason }, 'trouble with a log');
        if (this.#pumps.has(container)) this.#troubled.add(container);
        this.#handingOver.get(container)?.abort();
      },
    };
    const originOf = (id: string) => {
      const origin = parts.drivers.origin(id);
      if (origin === undefined) throw new TypeError(`log driver ${id} has no origin`);
      return origin;
    };
    this.#inWorker = new WorkerPump(originOf, owner, parts.limits);
    this.#here = new PumpHost(async (id) => parts.drivers.get(id), owner, parts.limits);
  }

  driverOf(record: ContainerRecord): LogDriver {
    return this.#parts.drivers.get(this.#driverId(record));
  }

  /** The file inspect shows, from the first start on. */
  pathOf(record: ContainerRecord): string {
    if (!record.everStarted || !this.#parts.drivers.has(this.#driverId(record))) return '';
    return this.driverOf(record).path(this.containerOf(record));
  }

  containerOf(record: ContainerRecord): LogContainer {
    return {
      id: record.id,
      name: record.name,
      imageId: record.imageId,
      imageName: record.imageName,
      command: [record.path, ...record.args],
      createdAt: new Date(record.createdAt),
      labels: record.config.Labels ?? {},
      env: record.config.Env ?? [],
      options: record.hostConfig.LogConfig?.Config ?? {},
      directory: path.join(this.#parts.root, record.id),
    };
  }

  /** Where the runtime spools a run; undefined when its driver keeps nothing. */
  spoolFor(record: ContainerRecord, since: bigint): string | undefined {
    if (this.driverOf(record).capabilities.discards) return undefined;
    return path.join(this.#parts.root, record.id, spoolName(since));
  }

  /** A run may begin soon. Making a thread takes a good part of a start, and at this time there is little else to do. */
  prepare(record: ContainerRecord): void {
    if (!this.driverOf(record).capabilities.discards && this.#pumpOf(record) === this.#inWorker) {
      this.#inWorker.prepare(this.#driverId(record));
    }
  }

  /** A run begins to write its spool. */
  begin(record: ContainerRecord, spool: string): void {
    this.#open(record, spool);
  }

  /** A run goes on that an earlier daemon began. */
  resume(record: ContainerRecord): void {
    if (!this.driverOf(record).capabilities.discards) this.#open(record, undefined);
  }

  /** Runs are over whose output an earlier daemon may not have written to the end. Goes on in the background. */
  sweep(records: readonly ContainerRecord[]): void {
    this.#sweeping = this.#sweep(records).finally(() => {
      this.#sweeping = undefined;
    });
  }

  /** The run is over: the rest of its spool is written in the background. */
  finish(id: string): void {
    this.#pumps.get(id)?.finish(id);
  }

  /** Resolves when all output written before the call can be read back. */
  async caughtUp(id: string): Promise<void> {
    await this.#sweeping;
    await this.#pumps.get(id)?.caughtUp(id);
  }

  /** The same, but waits for no disk that hangs: then what can be read is all there is for now. */
  async caughtUpOrStill(id: string): Promise<void> {
    const caughtUp = this.caughtUp(id).then(() => true);
    // Mostly there is nothing to wait for, and a watch costs more than the rest of a short log.
    if (await Promise.race([caughtUp, setImmediate(false)])) return;
    const enough = new AbortController();
    void caughtUp.then(() => enough.abort());
    await untilStill(path.join(this.#parts.root, id), { patience: 5000, signal: enough.signal });
  }

  /** Deletes everything, for a container that is removed. Lines that outlive it are handed over before. */
  async remove(record: ContainerRecord): Promise<void> {
    if (this.#outlives(record)) await this.#handOver(record.id);
    await this.#pumps.get(record.id)?.drop(record.id);
    this.#pumps.delete(record.id);
    this.#troubled.delete(record.id);
    if (this.#parts.drivers.has(this.#driverId(record))) await this.driverOf(record).remove(this.containerOf(record));
  }

  /** Gives back memory that is only kept to be fast. */
  onIdle(): void {
    this.#inWorker.onIdle();
  }

  /** Stops; containers go on writing their spools. */
  async close(): Promise<void> {
    await Promise.all([this.#inWorker.close(), this.#here.close()]);
  }

  #driverId(record: ContainerRecord): string {
    return record.hostConfig.LogConfig?.Type || this.#parts.drivers.defaultId || '';
  }

  /** A log that has no file of the container's is somewhere else. */
  #outlives(record: ContainerRecord): boolean {
    if (!this.#parts.drivers.has(this.#driverId(record))) return false;
    const driver = this.driverOf(record);
    return !driver.capabilities.discards && driver.path(this.containerOf(record)) === '';
  }

  async #handOver(id: string): Promise<void> {
    const enough = new AbortController();
    this.#handingOver.set(id, enough);
    void this.caughtUp(id).then(() => enough.abort());
    await untilStill(path.join(this.#parts.root, id), {
      patience: this.#troubled.has(id) ? 300 : 1000,
      longest: 10_000,
      signal: enough.signal,
    });
    this.#handingOver.delete(id);
  }

  #open(record: ContainerRecord, spool: string | undefined): void {
    const pump = this.#pumpOf(record);
    this.#pumps.set(record.id, pump);
    pump.open({ container: this.containerOf(record), driver: this.#driverId(record), spool });
  }

  #pumpOf(record: ContainerRecord): Pump {
    const { worker } = this.driverOf(record).capabilities;
    return worker && this.#parts.drivers.origin(this.#driverId(record)) !== undefined ? this.#inWorker : this.#here;
  }

  async #sweep(records: readonly ContainerRecord[]): Promise<void> {
    for (const record of records) {
      if (this.#pumps.has(record.id)) continue;
      const spools = await findSpools(path.join(this.#parts.root, record.id));
      // Started meanwhile: the reader of the new run has found what was left.
      if (spools.length === 0 || this.#pumps.has(record.id) || !this.#parts.drivers.has(this.#driverId(record)))
        continue;
      this.#open(record, undefined);
      this.finish(record.id);
    }
  }
}
