import { Worker } from 'node:worker_threads';
import type { DriverOrigin } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { Pump, PumpLimits, PumpOwner, PumpTask } from '../pump.js';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.js';

/** Milliseconds: a worker that died earlier has failed to start, and is restarted only after as long. */
const startTimeout = 1000;

/** A pump in a worker thread, which starts with the first container and is restarted when it dies. */
export class WorkerPump implements Pump {
  #worker: Worker | undefined;
  #isClosed = false;
  #calls = 0;
  /** Calls that are not answered yet, to be repeated if the worker dies. */
  readonly #pending = new Map<number, { readonly message: ToWorker; readonly resolve: () => void }>();
  /** What the worker was sent, to be repeated if it dies. */
  readonly #open = new Map<string, Extract<ToWorker, { kind: 'open' }>>();
  readonly #finished = new Set<string>();
  #startedAt = 0;
  /** Runs while a worker that died waits for its successor. */
  #restart: NodeJS.Timeout | undefined;

  constructor(
    private readonly origin: (driverId: string) => DriverOrigin,
    private readonly owner: PumpOwner,
    private readonly limits: PumpLimits,
  ) {}

  /** A container with this driver may soon be opened. */
  prepare(driver: string): void {
    if (this.#worker === undefined) this.#send({ kind: 'prepare', driver, origin: this.origin(driver) });
  }

  open(task: PumpTask): void {
    const message = { kind: 'open', task, origin: this.origin(task.driver) } as const;
    this.#open.set(task.container.id, message);
    this.#finished.delete(task.container.id);
    this.#send(message);
  }

  finish(id: string): void {
    const known = this.#open.get(id);
    if (known === undefined) return;
    this.#finished.add(id);
    this.#send({ kind: 'finish', id });
    void this.caughtUp(id).then(() => {
      if (this.#open.get(id) === known) this.#forget(id);
    });
  }

  caughtUp(id: string): Promise<void> {
    return this.#open.has(id) ? this.#call((call) => ({ kind: 'caughtUp', id, call })) : Promise.resolve();
  }

  drop(id: string): Promise<void> {
    return this.#forget(id) ? this.#call((call) => ({ kind: 'drop', id, call })) : Promise.resolve();
  }

  async release(id: string): Promise<void> {
    const known = this.#open.get(id);
    if (known === undefined) return;
    await this.#call((call) => ({ kind: 'release', id, call }));
    if (this.#open.get(id) === known) this.#forget(id);
  }

  /** Compacts the heap of the worker, if there is one. */
  onIdle(): void {
    this.#worker?.postMessage({ kind: 'idle' } satisfies ToWorker);
  }

  async close(): Promise<void> {
    if (this.#worker !== undefined) await this.#call((call) => ({ kind: 'close', call }));
    this.#isClosed = true;
    clearTimeout(this.#restart);
    this.#resolvePending();
    await this.#worker?.terminate();
  }

  /** Ends the worker as a fault would; it is restarted. For tests. */
  async crash(): Promise<void> {
    await this.#worker?.terminate();
  }

  /** While there is no worker, the next one gets everything that is open or pending, in the right order, when it starts. */
  #send(message: ToWorker): void {
    if (this.#isClosed || this.#restart !== undefined) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #call(message: (call: number) => ToWorker): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    const call = ++this.#calls;
    return new Promise((resolve) => {
      this.#pending.set(call, { message: message(call), resolve });
      this.#send(message(call));
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
    worker.on('message', (message: FromWorker) => this.#onMessage(message, worker));
    worker.on('error', (error) => this.owner.report('', 'log.worker-failed', messageOf(error)));
    worker.on('exit', () => this.#onExit(worker));
    return worker;
  }

  #onMessage(message: FromWorker, worker: Worker): void {
    switch (message.kind) {
      case 'report':
        this.owner.report(message.id, message.event, message.reason);
        break;
      case 'log':
        this.owner.log(message.level, message.facts, message.words);
        break;
      case 'done':
        this.#pending.get(message.call)?.resolve();
        this.#pending.delete(message.call);
        break;
      case 'rotate':
        void this.#rotate(message.id, message.call, worker);
    }
  }

  async #rotate(id: string, call: number, worker: Worker): Promise<void> {
    const answer = await this.owner.rotate(id).then(
      (path): ToWorker => ({ kind: 'rotated', call, ...(path !== undefined && { path }) }),
      (error: unknown): ToWorker => ({ kind: 'rotated', call, error: messageOf(error) }),
    );
    worker.postMessage(answer);
  }

  /** Spools and positions are on disk: the next worker continues from there. */
  #onExit(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    if (this.#isClosed) {
      this.#resolvePending();
      return;
    }
    const wait = performance.now() - this.#startedAt < startTimeout ? startTimeout : 0;
    this.#restart = setTimeout(() => {
      this.#restart = undefined;
      this.#repeat();
    }, wait);
  }

  #resolvePending(): void {
    for (const { resolve } of this.#pending.values()) resolve();
    this.#pending.clear();
  }

  #repeat(): void {
    for (const [id, { task, origin, kind }] of this.#open) {
      this.#send({ kind, origin, task: { ...task, spool: undefined } });
      if (this.#finished.has(id)) this.#send({ kind: 'finish', id });
    }
    for (const { message } of this.#pending.values()) this.#send(message);
  }
}
