import type { LogContainer, LogPage, LogQuery, LogRecord } from '@gantry/core/contracts';
import { notFound } from '@gantry/core/errors';
import { ProgressFile } from '@gantry/lib-log';
import type { Entry } from './export-parser.js';
import type { JournalProgram } from './journal-program.js';
import { cursorOf, ordinalOf, Selection } from './selection.js';

/** A container's lines from the journal, oldest first. @throws EngineError `not-found` when none was ever written. */
export async function* readJournal(
  container: LogContainer,
  query: LogQuery,
  journal: JournalProgram,
): AsyncGenerator<LogPage> {
  const progress = await new ProgressFile(container, 'journald').read();
  if (progress === undefined) throw notFound(`nothing was written to the journal for ${container.id}`);
  if (!query.stdout && !query.stderr) return;
  await journal.sync();
  const reader = new JournalReader(journal, new Selection(container, progress.epoch, query), query);
  yield* reader.pages();
}

class JournalReader {
  /** Of the last entry that was read; undefined while there is none. */
  #cursor: string | undefined;
  #ordinal = 0;

  constructor(
    private readonly journal: JournalProgram,
    private readonly selection: Selection,
    private readonly query: LogQuery,
  ) {}

  async *pages(): AsyncGenerator<LogPage> {
    const { follow, tail, signal } = this.query;
    const begin = tail === undefined ? this.selection.begin : await this.#lastOnes(tail);
    if (begin !== undefined) yield* this.#read(begin, signal);
    if (follow) yield* this.#follow();
  }

  /** Follows until the end, and then reads what the follower had not come to. */
  async *#follow(): AsyncGenerator<LogPage> {
    const { ended, signal } = this.query;
    const over = new AbortController();
    void ended?.finally(() => over.abort());
    const either = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
    yield* this.#read(['-f', '--no-tail', ...this.#after()], either);
    if (signal?.aborted) return;
    await this.journal.sync();
    yield* this.#read(this.#after(), signal);
  }

  #after(): readonly string[] {
    return this.#cursor === undefined ? [] : [`--after-cursor=${this.#cursor}`];
  }

  async *#read(where: readonly string[], signal: AbortSignal | undefined): AsyncGenerator<LogPage> {
    for await (const entries of this.journal.entries([...where, ...this.selection.arguments], signal)) {
      const records = entries.flatMap((entry) => this.#record(entry) ?? []);
      if (records.length > 0) yield { records: () => records };
    }
  }

  #record(entry: Entry): LogRecord | undefined {
    this.#cursor = cursorOf(entry);
    // After a crash, lines may have been sent twice.
    const ordinal = ordinalOf(entry);
    if (ordinal <= this.#ordinal) return undefined;
    this.#ordinal = ordinal;
    return this.selection.record(entry);
  }

  /** Where the last so many records begin, found backwards; undefined when there is none of them. */
  async #lastOnes(count: number): Promise<readonly string[] | undefined> {
    const { signal } = this.query;
    let found = 0;
    let lowest = Number.POSITIVE_INFINITY;
    let cursor: string | undefined;
    for await (const entries of this.journal.entries(
      ['-r', ...this.selection.begin, ...this.selection.arguments],
      signal,
    )) {
      for (const entry of entries) {
        // Followed from the newest on, whatever is asked for before.
        this.#cursor ??= cursorOf(entry);
        if (count === 0) return undefined;
        const ordinal = ordinalOf(entry);
        if (ordinal >= lowest || this.selection.record(entry) === undefined) continue;
        lowest = ordinal;
        cursor = cursorOf(entry);
        if (++found === count) return [`--cursor=${cursor}`];
      }
    }
    return cursor === undefined ? undefined : [`--cursor=${cursor}`];
  }
}
