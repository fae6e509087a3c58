import type { LogDriver } from '@gantry/core/contracts';
import { BatchBuffers } from '../spool/batch-buffers.js';
import { SpoolReader } from '../spool/spool-reader.js';
import type { Pump, PumpLimits, PumpOwner, PumpTask } from './pump.js';

/** A pump in this thread. */
export class PumpHost implements Pump {
  readonly #readers = new Map<string, SpoolReader>();
  readonly #buffers = new BatchBuffers();

  constructor(
    private readonly driver: (id: string) => Promise<LogDriver>,
    private readonly owner: PumpOwner,
    private readonly limits: PumpLimits,
  ) {}

  open(task: PumpTask): void {
    const known = this.#readers.get(task.container.id);
    if (known !== undefined && task.spool !== undefined) known.add(task.spool);
    if (known !== undefined) return;
    const reader = new SpoolReader({
      container: task.container,
      openSink: async () => (await this.driver(task.driver)).open(task.container),
      owner: this.owner,
      limits: this.limits,
      buffers: this.#buffers,
    });
    this.#readers.set(task.container.id, reader);
    // Also with a new run: an earlier daemon may have left the end of the one before.
    reader.resume();
    if (task.spool !== undefined) reader.add(task.spool);
  }

  finish(id: string): void {
    const reader = this.#readers.get(id);
    reader?.finish();
    void reader?.settled().then(() => this.#forget(id, reader));
  }

  async caughtUp(id: string): Promise<void> {
    await this.#readers.get(id)?.caughtUp();
  }

  async drop(id: string): Promise<void> {
    const reader = this.#readers.get(id);
    this.#readers.delete(id);
    await reader?.stop();
  }

  async close(): Promise<void> {
    const readers = [...this.#readers.values()];
    this.#readers.clear();
    await Promise.all(readers.map((reader) => reader.stop()));
  }

  #forget(id: string, reader: SpoolReader): void {
    if (reader.isDone && this.#readers.get(id) === reader) this.#readers.delete(id);
  }
}
