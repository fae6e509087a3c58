import type { Collection, StateDriver, Transaction } from '@gantry/core/contracts';
import { internal } from '@gantry/core/errors';
import type { LargeFile } from '@gantry/source-conversion';
import { mayFollow } from '../states.js';
import { Authors } from './authors.js';
import { type ImportRecord, importCollection, largeFileCollection } from './records.js';

/** Whoever is told of the moves of imports. The status is the new state's, or `cancelled`. */
export interface MoveListener {
  /** In the same transaction. */
  moving(transaction: Transaction, record: ImportRecord, status: string): void;
  /** When the transaction has resolved. */
  moved(record: ImportRecord, status: string): void;
}

/** The imports, at most one for each repository. */
export class ImportStore {
  readonly authors: Authors;
  readonly #imports: Collection<ImportRecord>;
  readonly #largeFiles: Collection<readonly LargeFile[]>;
  readonly #byRepository = new Map<number, number>();
  #last = 0;

  constructor(
    private readonly state: StateDriver,
    private readonly listener: MoveListener,
  ) {
    this.authors = new Authors(state);
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

  /** Takes the place of an earlier import into the same repository. */
  async add(fields: Omit<ImportRecord, 'id' | 'startedAt' | 'updatedAt'>): Promise<ImportRecord> {
    this.#last += 1;
    const now = Date.now();
    const record: ImportRecord = { ...fields, id: this.#last, startedAt: now, updatedAt: now };
    const before = this.into(record.repositoryId);
    await this.state.transaction((transaction) => {
      if (before !== undefined) this.#erase(transaction, before);
      transaction.put(this.#imports, String(record.id), record);
      this.listener.moving(transaction, record, record.state.status);
    });
    this.listener.moved(record, record.state.status);
    this.#byRepository.set(record.repositoryId, record.id);
    return record;
  }

  /**
   * Changes an import that is still there: `change` gets it as it is now, and gives undefined to leave it. Resolves to
   * what it is then; undefined when it is gone. @throws EngineError `internal` for a move that no state has.
   */
  async change(
    id: number,
    change: (record: ImportRecord, transaction: Transaction) => ImportRecord | undefined,
  ): Promise<ImportRecord | undefined> {
    const moved = await this.state.transaction((transaction) => {
      const record = transaction.get(this.#imports, String(id));
      const changed = record && change(record, transaction);
      if (record === undefined || changed === undefined) return undefined;
      const [before, after] = [record.state.status, changed.state.status];
      if (changed.state !== record.state && !mayFollow(before, after)) {
        throw internal(`import ${id} cannot go from ${before} to ${after}`);
      }
      transaction.put(this.#imports, String(id), { ...changed, updatedAt: Date.now() });
      if (changed.state === record.state) return undefined;
      this.listener.moving(transaction, changed, after);
      return changed;
    });
    if (moved !== undefined) this.listener.moved(moved, moved.state.status);
    return this.withId(id);
  }

  putLargeFiles(transaction: Transaction, id: number, files: readonly LargeFile[]): void {
    transaction.put(this.#largeFiles, String(id), files);
  }

  /** @param status what listeners are told; none when the repository goes with it. */
  async remove(record: ImportRecord, status?: string): Promise<void> {
    await this.state.transaction((transaction) => {
      this.#erase(transaction, record);
      if (status !== undefined) this.listener.moving(transaction, record, status);
    });
    if (status !== undefined) this.listener.moved(record, status);
    if (this.#byRepository.get(record.repositoryId) === record.id) this.#byRepository.delete(record.repositoryId);
  }

  #erase(transaction: Transaction, { id }: ImportRecord): void {
    transaction.delete(this.#imports, String(id));
    transaction.delete(this.#largeFiles, String(id));
    this.authors.forget(transaction, id);
  }
}
