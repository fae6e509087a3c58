import { type Collection, type StateDriver, StateDrivers, type Transaction } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import type { LargeFile } from '@gantry/lib-source';
import { ImportAuthors } from './import-authors.js';
import { ImportListener } from './import-listener.js';
import { mayFollow } from './import-states.js';
import { type ImportRecord, importCollection, largeFileCollection } from './records.js';

/** The imports, at most one for each repository. Every change of status is published with its transaction. */
@injectable()
export class ImportStore {
  readonly #state: StateDriver;
  readonly #imports: Collection<ImportRecord>;
  readonly #largeFiles: Collection<readonly LargeFile[]>;
  readonly #byRepository = new Map<number, number>();
  #last = 0;

  constructor(
    @inject(StateDrivers.token) states: DriverSet<StateDriver>,
    @inject(ImportListener) private readonly listener: ImportListener,
    @inject(ImportAuthors) readonly authors: ImportAuthors,
  ) {
    const state = states.get();
    this.#state = state;
    this.#imports = state.collection(importCollection);
    this.#largeFiles = state.collection(largeFileCollection);
    for (const record of this.list()) {
      this.#last = Math.max(this.#last, record.id);
      this.#byRepository.set(record.repositoryId, record.id);
    }
  }

  list(): readonly ImportRecord[] {
    return [...this.#imports.entries()].map(([, record]) => record).sort((a, b) => a.id - b.id);
  }

  withId(id: number): ImportRecord | undefined {
    return this.#imports.get(String(id));
  }

  into(repositoryId: number): ImportRecord | undefined {
    const id = this.#byRepository.get(repositoryId);
    return id === undefined ? undefined : this.withId(id);
  }

  largeFiles(id: number): readonly LargeFile[] {
    return this.#largeFiles.get(String(id)) ?? [];
  }

  /** Adds an import; replaces an earlier one into the same repository. */
  async add(fields: Omit<ImportRecord, 'id' | 'startedAt' | 'updatedAt'>): Promise<ImportRecord> {
    this.#last += 1;
    const now = Date.now();
    const record: ImportRecord = { ...fields, id: this.#last, startedAt: now, updatedAt: now };
    const before = this.into(record.repositoryId);
    await this.#state.transaction((transaction) => {
      if (before !== undefined) this.#erase(transaction, before);
      transaction.put(this.#imports, String(record.id), record);
      this.listener.record(transaction, record, record.state.status);
    });
    this.listener.publish(record, record.state.status);
    this.#byRepository.set(record.repositoryId, record.id);
    return record;
  }

  /**
   * Changes an import: `change` gets the current record, and returns undefined to change nothing. Resolves to the record
   * afterwards; undefined when it is gone. @throws EngineError `internal` for an illegal change of status.
   */
  async change(
    id: number,
    change: (record: ImportRecord, transaction: Transaction) => ImportRecord | undefined,
  ): Promise<ImportRecord | undefined> {
    const moved = await this.#state.transaction((transaction) => {
      const record = transaction.get(this.#imports, String(id));
      const changed = record && change(record, transaction);
      if (record === undefined || changed === undefined) return undefined;
      const [before, after] = [record.state.status, changed.state.status];
      if (changed.state !== record.state && !mayFollow(before, after)) {
        throw internal(`import ${id} cannot go from ${before} to ${after}`);
      }
      transaction.put(this.#imports, String(id), { ...changed, updatedAt: Date.now() });
      if (changed.state === record.state) return undefined;
      this.listener.record(transaction, changed, after);
      return changed;
    });
    if (moved !== undefined) this.listener.publish(moved, moved.state.status);
    return this.withId(id);
  }

  putLargeFiles(transaction: Transaction, id: number, files: readonly LargeFile[]): void {
    transaction.put(this.#largeFiles, String(id), files);
  }

  /** @param status of the event; none is published when the repository is deleted as well. */
  async delete(record: ImportRecord, status?: string): Promise<void> {
    await this.#state.transaction((transaction) => {
      this.#erase(transaction, record);
      if (status !== undefined) this.listener.record(transaction, record, status);
    });
    if (status !== undefined) this.listener.publish(record, status);
    if (this.#byRepository.get(record.repositoryId) === record.id) this.#byRepository.delete(record.repositoryId);
  }

  #erase(transaction: Transaction, { id }: ImportRecord): void {
    transaction.delete(this.#imports, String(id));
    transaction.delete(this.#largeFiles, String(id));
    this.authors.delete(transaction, id);
  }
}
