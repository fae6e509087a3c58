import type { LogDriver } from '@gantry/core/contracts';
import type { Pump, PumpLimits, PumpOwner, PumpTask } from '../pump.js';
import { BatchBuffers } from '../spool/batch-buffers.js';
import { SpoolReader } from '../spool/spool-reader.js';

/** A pump in this thread. */
export class LocalPump implements Pump {
  readonly #readers = new Map<string, SpoolReader>();
  readonly #buffers = new BatchBuffers();

  constructor(
    private readonly driver: (id: string) => Promise<LogDriver>,
    private readonly owner: Pick<PumpOwner, 'rotate' | 'report'>,
    private readonly limits: PumpLimits,
  ) {}

  open({ container, driver, spool }: PumpTask): void {
    const known = this.#readers.get(container.id);
    if (known !== undefined && spool !== undefined) known.add(spool);
    if (known !== undefined) return;
    const reader = new SpoolReader({
      container,
      openSink: async () => (await this.driver(driver)).open(container),
      owner: this.owner,
      limits: this.limits,
      buffers: this.#buffers,
    });
    this.#readers.set(container.id, reader);
    // Even with a new run: an earlier daemon may not have consumed the end of the previous one.
    reader.resume();
    if (spool !== undefined) reader.add(spool);
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

  async release(id: string): Promise<void> {
    const reader = this.#readers.get(id);
    await reader?.release();
    if (this.#readers.get(id) === reader) this.#readers.delete(id);
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
