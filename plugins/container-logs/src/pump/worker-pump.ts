import { Worker } from 'node:worker_threads';
import type { DriverOrigin } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { Pump, PumpLimits, PumpOwner, PumpTask } from './pump.js';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.js';

/** A worker that lived no longer has hardly come to its work. */
const quickDeathMs = 1000;

/** A pump in a worker thread, which is made with the first container and started again when it dies. */
export class WorkerPump implements Pump {
  #worker: Worker | undefined;
  #isClosed = false;
  #calls = 0;
  /** Questions that are not answered yet, to be asked again if the worker dies over them. */
  readonly #asked = new Map<number, { readonly message: ToWorker; readonly resolve: () => void }>();
  /** What the worker knows, to tell the next one if it dies. */
  readonly #open = new Map<string, Extract<ToWorker, { kind: 'open' }>>();
  readonly #finished = new Set<string>();
  #startedAt = 0;

  constructor(
    private readonly origin: (driverId: string) => DriverOrigin,
    private readonly owner: PumpOwner,
    private readonly limits: PumpLimits,
  ) {}

  /** A container with this driver may soon be opened. */
  prepare(driver: string): void {
    if (this.#worker === undefined) this.#tell({ kind: 'prepare', driver, origin: this.origin(driver) });
  }

  open(task: PumpTask): void {
    const message = { kind: 'open', task, origin: this.origin(task.driver) } as const;
    this.#open.set(task.container.id, message);
    this.#finished.delete(task.container.id);
    this.#tell(message);
  }

  finish(id: string): void {
    const known = this.#open.get(id);
    if (known === undefined) return;
    this.#finished.add(id);
    this.#tell({ kind: 'finish', id });
    void this.caughtUp(id).then(() => {
      if (this.#open.get(id) === known) this.#forget(id);
    });
  }

  caughtUp(id: string): Promise<void> {
    return this.#open.has(id) ? this.#ask((call) => ({ kind: 'caughtUp', id, call })) : Promise.resolve();
  }

  drop(id: string): Promise<void> {
    return this.#forget(id) ? this.#ask((call) => ({ kind: 'drop', id, call })) : Promise.resolve();
  }

  /** Has the thread give back memory, if there is one. */
  onIdle(): void {
    this.#worker?.postMessage({ kind: 'rest' } satisfies ToWorker);
  }

  async close(): Promise<void> {
    if (this.#worker === undefined) return;
    await this.#ask((call) => ({ kind: 'close', call }));
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  /** Ends the thread as a fault would; another one follows. For tests. */
  async crash(): Promise<void> {
    await this.#worker?.terminate();
  }

  #tell(message: ToWorker): void {
    if (this.#isClosed) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #ask(message: (call: number) => ToWorker): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    const call = ++this.#calls;
    return new Promise((resolve) => {
      this.#asked.set(call, { message: message(call), resolve });
      this.#tell(message(call));
    });
  }

  #forget(id: string): boolean {
    this.#finished.delete(id);
    return this.#open.delete(id);
  }

  #start(): Worker {
    this.#startedAt = performance.now();
    const settings: WorkerSettings = { limits: this.limits };
    const worker = new Worker(new URL('./pump-worker.js', import.meta.url), { workerData: settings, name: 'logs' });
    worker.unref();
    worker.on('message', (message: FromWorker) => void this.#hear(message, worker));
    worker.on('error', (error) => this.owner.report('', 'log.worker-failed', messageOf(error)));
    worker.on('exit', () => this.#restart(worker));
    return worker;
  }

  async #hear(message: FromWorker, worker: Worker): Promise<void> {
    if (message.kind === 'report') {
      this.owner.report(message.id, message.event, message.reason);
    } else if (message.kind === 'done') {
      this.#asked.get(message.call)?.resolve();
      this.#asked.delete(message.call);
    } else {
      const { id, call } = message;
      const answer = await this.owner.rotate(id).then(
        (path): ToWorker => ({ kind: 'rotated', call, ...(path !== undefined && { path }) }),
        (error: unknown): ToWorker => ({ kind: 'rotated', call, error: messageOf(error) }),
      );
      worker.postMessage(answer);
    }
  }

  /** Spools and positions are on disk: the next worker goes on from there. One that dies at once is not followed at once. */
  #restart(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    if (this.#isClosed) {
      for (const { resolve } of this.#asked.values()) resolve();
      this.#asked.clear();
      return;
    }
    const wait = performance.now() - this.#startedAt < quickDeathMs ? quickDeathMs : 0;
    setTimeout(() => this.#goOn(), wait);
  }

  #goOn(): void {
    for (const [id, { task, origin, kind }] of this.#open) {
      this.#tell({ kind, origin, task: { ...task, spool: undefined } });
      if (this.#finished.has(id)) this.#tell({ kind: 'finish', id });
    }
    for (const { message } of this.#asked.values()) this.#tell(message);
  }
}
