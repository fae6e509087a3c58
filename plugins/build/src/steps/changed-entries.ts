import { encodeEntry, paddingOf, type TarEntry, type TarHandler, TarReader } from '@gantry/lib-archive/tar';

/** What becomes of an entry; undefined when it is left out. */
export type ChangeEntry = (entry: TarEntry) => TarEntry | undefined;

/** Entries of a tar without its end, each of them changed or left out. */
export async function* changedEntries(tar: AsyncIterable<Buffer>, change: ChangeEntry): AsyncGenerator<Buffer> {
  const entries = new ChangedEntries(change);
  const reader = new TarReader(entries);
  for await (const piece of tar) {
    reader.push(piece);
    yield* entries.take();
  }
}

class ChangedEntries implements TarHandler {
  #pieces: Buffer[] = [];
  #size = 0;
  #isLeftOut = false;

  constructor(private readonly change: ChangeEntry) {}

  take(): Buffer[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  raw(): void {
    // All headers are written anew.
  }

  begin(entry: TarEntry): void {
    const changed = this.change(entry);
    this.#isLeftOut = changed === undefined;
    if (changed === undefined) return;
    this.#size = entry.type === 'file' ? entry.size : 0;
    this.#pieces.push(encodeEntry(changed));
  }

  payload(bytes: Buffer): void {
    if (!this.#isLeftOut) this.#pieces.push(Buffer.from(bytes));
  }

  end(): void {
    if (this.#isLeftOut) return;
    const padding = paddingOf(this.#size);
    if (padding > 0) this.#pieces.push(Buffer.alloc(padding));
  }
}
