import type { LogDriver } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import { LocalPump } from './pump/local-pump.js';
import { WorkerPump } from './pump/worker-pump.js';
import type { Pump, PumpLimits, PumpOwner } from './pump.js';
import type { LoggedContainer } from './service.js';

/** A container whose output goes through a pump. */
interface OpenLog {
  readonly pump: Pump;
  readonly container: LoggedContainer;
  /** Of the run that started. */
  readonly spool: string | undefined;
  /** No more output will come. */
  isFinished: boolean;
}

/** The containers whose output goes to their log drivers, through the pump that each driver needs. */
export class OpenLogs {
  /** For drivers that can be created again in a worker thread, and for the others. */
  readonly #worker: WorkerPump;
  readonly #local: LocalPump;
  readonly #open = new Map<string, OpenLog>();
  /** Containers whose sinks are being closed to be opened again: what starts meanwhile is opened then. */
  readonly #releasing = new Set<string>();
  /** While sinks are closed to be opened again. */
  #reopening: Promise<void> | undefined;

  constructor(
    private readonly drivers: DriverSet<LogDriver>,
    owner: PumpOwner,
    limits: PumpLimits,
  ) {
    const originOf = (id: string) => {
      const origin = drivers.origin(id);
      if (origin === undefined) throw new TypeError(`log driver ${id} has no origin`);
      return origin;
    };
    this.#worker = new WorkerPump(originOf, owner, limits);
    this.#local = new LocalPump(async (id) => drivers.get(id), owner, limits);
  }

  driverId({ driver }: LoggedContainer): string {
    return driver || this.drivers.defaultId || '';
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** A container may soon be opened. */
  prepare(container: LoggedContainer): void {
    if (this.#pumpOf(container) === this.#worker) this.#worker.prepare(this.driverId(container));
  }

  /** @param spool of the run that starts; undefined continues with what is in the container's directory. */
  open(container: LoggedContainer, spool: string | undefined): void {
    const pump = this.#pumpOf(container);
    this.#open.set(container.id, { pump, container, spool, isFinished: false });
    if (this.#releasing.has(container.id)) return;
    pump.open({ container, driver: this.driverId(container), spool });
  }

  /** No more output will come. */
  finish(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    open.isFinished = true;
    if (!this.#releasing.has(id)) open.pump.finish(id);
  }

  /** Resolves when all output written before the call is in the log. */
  async caughtUp(id: string): Promise<void> {
    await this.#open.get(id)?.pump.caughtUp(id);
    if (this.#reopening === undefined) return;
    await this.#reopening;
    await this.caughtUp(id);
  }

  async drop(id: string): Promise<void> {
    await this.#open.get(id)?.pump.drop(id);
    this.#open.delete(id);
  }

  /** Closes the sinks of a driver, and opens them again where output may come: by another version of the driver. */
  async reopen(driverId: string): Promise<void> {
    const opened = [...this.#open.values()].filter(({ container }) => this.driverId(container) === driverId);
    const reopening = Promise.all(opened.map((open) => this.#reopen(open)))
      .then(() => undefined)
      .finally(() => {
        if (this.#reopening === reopening) this.#reopening = undefined;
      });
    this.#reopening = reopening;
    await reopening;
  }

  /** Releases memory that is only kept for speed. */
  onIdle(): void {
    this.#worker.onIdle();
  }

  async close(): Promise<void> {
    await Promise.all([this.#worker.close(), this.#local.close()]);
  }

  async #reopen(open: OpenLog): Promise<void> {
    const { id } = open.container;
    this.#releasing.add(id);
    await open.pump.release(id).finally(() => this.#releasing.delete(id));
    const current = this.#open.get(id);
    if (current === undefined) return;
    // A run that has started meanwhile has a spool of its own.
    this.open(current.container, current === open ? undefined : current.spool);
    if (current.isFinished) this.finish(id);
  }

  #pumpOf(container: LoggedContainer): Pump {
    const id = this.driverId(container);
    const { worker } = this.drivers.get(id).capabilities;
    return worker && this.drivers.origin(id) !== undefined ? this.#worker : this.#local;
  }
}
