import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, Logger } from '@gantry/core/driver';
import type { ContainerRecord } from '../record.js';
import { ContainerData } from './container-data.js';
import { UnusedLayers } from './unused-layers.js';

/**
 * Deletes what removed containers leave on disk, which no client waits for. Their records are deleted last: a record in
 * the state `removing` is the intent that the next daemon finishes, whatever ended this one.
 */
@injectable()
export class BackgroundDeletions {
  readonly #underWay = new Set<Promise<void>>();

  constructor(
    @inject(ContainerData) private readonly data: ContainerData,
    @inject(UnusedLayers) private readonly layers: UnusedLayers,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * For a container that the store has forgotten. A failure is logged, and the next daemon tries again.
   * @param erase deletes the record.
   */
  begin(record: ContainerRecord, erase: () => Promise<void>): void {
    const deletion = this.#delete(record, erase)
      .catch((error: unknown) => {
        const facts = { event: 'container.not-deleted', container: record.id, error };
        this.log.warn(facts, 'failed to delete the files of a removed container; the next start tries again');
      })
      .finally(() => this.#underWay.delete(deletion));
    this.#underWay.add(deletion);
  }

  /** Resolves when none is under way. */
  async finished(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #delete(record: ContainerRecord, erase: () => Promise<void>): Promise<void> {
    await Promise.all([this.data.deleteFiles(record), this.layers.collect(record)]);
    crashPoint('container.remove.deleted');
    await erase();
    crashPoint('container.remove.erased');
  }
}
