import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { digestWith, type End, type Header, type Item } from './records.js';

/** Where a backup goes. */
export interface Sink {
  write(bytes: Uint8Array): Promise<void>;
}

/** Writes a backup: lines of JSON, and behind those of trees an archive, in pieces behind their lengths. */
export class BackupWriter {
  readonly #digest = createHash('sha256');
  /** Bytes that were written. */
  size = 0;

  constructor(private readonly sink: Sink) {}

  header(header: Header): Promise<void> {
    return this.#line(header);
  }

  item(item: Exclude<Item, End | { readonly kind: 'tree' }>): Promise<void> {
    return this.#line(item);
  }

  /** Writes the rest of an archive, of which the first piece has been read: what has gone has none. */
  async tree(directory: string, name: string, first: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<void> {
    await this.#line({ kind: 'tree', directory, name });
    for (let piece: Uint8Array | undefined = first; piece !== undefined; piece = await nextOf(rest)) {
      if (piece.length === 0) continue;
      await this.#write(lengthOf(piece.length));
      await this.#write(piece);
    }
    await this.#write(lengthOf(0));
  }

  async end({ entries, leftOut }: Pick<End, 'entries' | 'leftOut'>): Promise<void> {
    await this.#line({
      kind: 'end',
      entries,
      leftOut,
      sha256: digestWith(this.#digest, { entries, leftOut }),
    } satisfies End);
  }

  #line(value: object): Promise<void> {
    return this.#write(Buffer.from(`${JSON.stringify(value)}\n`));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#digest.update(bytes);
    this.size += bytes.length;
    await this.sink.write(bytes);
  }
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

async function nextOf(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  const { done, value } = await pieces.next();
  return done === true ? undefined : value;
}

/** The pieces of a stream that is destroyed when it is not read to its end. */
export const piecesOf = (stream: Readable): AsyncIterator<Uint8Array> =>
  (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
