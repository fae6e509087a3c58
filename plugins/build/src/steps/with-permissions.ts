import { encodeEntry, paddingOf, type TarEntry, type TarHandler, TarReader } from '@gantry/lib-archive/tar';

/** Entries of a tar without its end, with other permissions; symbolic links have none. */
export async function* withPermissions(tar: AsyncIterable<Buffer>, permissions: number): AsyncGenerator<Buffer> {
  const entries = new ChangedEntries(permissions);
  const reader = new TarReader(entries);
  for await (const piece of tar) {
    reader.push(piece);
    yield* entries.take();
  }
}

class ChangedEntries implements TarHandler {
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(private readonly permissions: number) {}

  take(): Buffer[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  raw(): void {
    // All headers are written anew.
  }

  begin(entry: TarEntry): void {
    this.#size = entry.type === 'file' ? entry.size : 0;
    this.#pieces.push(encodeEntry(entry.type === 'symlink' ? entry : { ...entry, mode: this.permissions }));
  }

  payload(bytes: Buffer): void {
    this.#pieces.push(Buffer.from(bytes));
  }

  end(): void {
    const padding = paddingOf(this.#size);
    if (padding > 0) this.#pieces.push(Buffer.alloc(padding));
  }
}
