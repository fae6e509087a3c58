/** An entry of the journal: its fields' bytes by name. */
export type Entry = ReadonlyMap<string, Buffer>;

const newline = 0x0a;
const equals = 0x3d;

/**
 * Reads the journal's export format: `NAME=text\n`, or `NAME\n`, the length in eight bytes, the bytes and a newline; an
 * empty line ends an entry.
 */
export class ExportParser {
  #rest: Buffer = Buffer.alloc(0);

  /** The entries that are complete with this. Their bytes are the chunk's. */
  entries(chunk: Buffer): Entry[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const entries: Entry[] = [];
    let from = 0;
    for (;;) {
      const found = entryAt(bytes, from);
      if (found === undefined) break;
      from = found.next;
      if (found.entry.size > 0) entries.push(found.entry);
    }
    this.#rest = Buffer.from(bytes.subarray(from));
    return entries;
  }
}

function entryAt(bytes: Buffer, start: number): { readonly entry: Entry; readonly next: number } | undefined {
  const entry = new Map<string, Buffer>();
  for (let at = start; ; ) {
    const end = bytes.indexOf(newline, at);
    if (end < 0) return undefined;
    if (end === at) return { entry, next: end + 1 };
    const split = bytes.indexOf(equals, at);
    if (split >= 0 && split < end) {
      entry.set(bytes.toString('latin1', at, split), bytes.subarray(split + 1, end));
      at = end + 1;
      continue;
    }
    if (end + 9 > bytes.length) return undefined;
    const data = end + 9;
    const length = Number(bytes.readBigUInt64LE(end + 1));
    if (data + length + 1 > bytes.length) return undefined;
    entry.set(bytes.toString('latin1', at, end), bytes.subarray(data, data + length));
    at = data + length + 1;
  }
}
