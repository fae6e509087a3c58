import { crashPoint } from '@gantry/core/crash-points';
import type { Write } from './environment/messages.js';
import type { RecordChange } from './record-collection.js';

/** Makes writes durable: all of them or none, one call at a time. */
interface Writer {
  commit(writes: readonly Write[]): Promise<void>;
  copy(file: string): Promise<void>;
}

/** A copy waiting for its turn. */
interface Copy {
  readonly file: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** One transaction waiting for the disk. */
interface Commit {
  readonly writes: readonly Write[];
  readonly changes: ReadonlyMap<string, RecordChange>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Commits in the order of the calls; those that arrive while the disk is busy share the next write. When a write
 * fails, those queued behind it fail too: they may have read its changes.
 */
export class CommitQueue {
  /** The newest change of each record that is not on disk yet, by storage key. */
  readonly pending = new Map<string, RecordChange>();
  /** What became of transactions and of the writes they share, since the start. */
  readonly counts = { transactions: 0, failures: 0, commits: 0, milliseconds: 0 };
  #waiting: Commit[] = [];
  #copies: Copy[] = [];
  #running: Promise<void> | undefined;

  constructor(private readonly writer: Writer) {}

  /** Resolves when it is on disk and visible in the collections. */
  add(writes: readonly Write[], changes: ReadonlyMap<string, RecordChange> = new Map()): Promise<void> {
    for (const [whole, change] of changes) this.pending.set(whole, change);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ writes, changes, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Writes everything that was added before into another file, while nothing is committed. */
  copy(file: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#copies.push({ file, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing is queued. */
  async drain(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    await undefined; // the calls of this turn share one write
    while (this.#waiting.length > 0 || this.#copies.length > 0) {
      const copies = this.#copies.splice(0);
      const group = this.#waiting.splice(0);
      try {
        await this.#write(group);
        this.counts.transactions += group.length;
        for (const commit of group) this.#succeed(commit);
      } catch (error) {
        const failed = [...group, ...this.#waiting.splice(0)];
        this.pending.clear();
        this.counts.failures += failed.length;
        for (const commit of failed) commit.reject(error);
      }
      for (const { file, resolve, reject } of copies) await this.writer.copy(file).then(resolve, reject);
    }
    this.#running = undefined;
  }

  /** Of several writes to one key, the last counts. */
  async #write(group: readonly Commit[]): Promise<void> {
    const last = new Map<string, Write>();
    for (const { writes } of group) for (const write of writes) last.set(`${write.area}\0${write.key}`, write);
    if (last.size === 0) return;
    crashPoint('state.commit.begun');
    const began = performance.now();
    await this.writer.commit([...last.values()]);
    this.counts.commits += 1;
    this.counts.milliseconds += performance.now() - began;
    crashPoint('state.commit.done');
  }

  #succeed({ changes, resolve }: Commit): void {
    for (const [whole, change] of changes) {
      change.collection.apply(change);
      if (this.pending.get(whole) === change) this.pending.delete(whole);
    }
    resolve();
  }
}
