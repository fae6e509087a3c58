import { internal } from '@gantry/core/errors';
import type { ByteString } from '@gantry/lib-archive/tar';

/**
 * A journal is a row of records, each beginning with a number of variable length (7 bits a byte, the lowest first):
 * twice the count of bytes that follow for bytes of the archive itself; twice the length of a path and one more for the
 * content of the file there, with the size behind the path; and 1 alone, an empty path, for the end.
 */
type JournalRecord =
  | { readonly type: 'raw'; readonly bytes: Buffer }
  | { readonly type: 'payload'; readonly path: ByteString; readonly size: number };

export const rawRecord = (length: number): Buffer => Buffer.from(encodeNumber(length * 2));

export const payloadRecord = (path: ByteString, size: number): Buffer =>
  Buffer.concat([
    Buffer.from(encodeNumber(path.length * 2 + 1)),
    Buffer.from(path, 'latin1'),
    Buffer.from(encodeNumber(size)),
  ]);

export const endRecord = Buffer.from([1]);

function encodeNumber(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return bytes;
}

/** Reads a journal from pieces of any length. */
export class JournalReader {
  #held: Buffer = Buffer.alloc(0);
  #at = 0;
  #ended = false;

  /** The records that are complete with this piece. */
  *push(piece: Buffer): Generator<JournalRecord> {
    this.#held = this.#at === this.#held.length ? piece : Buffer.concat([this.#held.subarray(this.#at), piece]);
    this.#at = 0;
    for (;;) {
      const record = this.#next();
      if (record === undefined) return;
      yield record;
    }
  }

  /** @throws EngineError `internal` when the end of the journal has not been seen. */
  finish(): void {
    if (!this.#ended) throw internal('the journal of the layer is damaged: its end is missing');
  }

  #next(): JournalRecord | undefined {
    const head = this.#number(this.#at);
    if (head === undefined || this.#ended) return undefined;
    const length = Math.floor(head.value / 2);
    const end = head.end + length;
    if (end > this.#held.length) return undefined;
    if (head.value % 2 === 0) {
      this.#at = end;
      return { type: 'raw', bytes: this.#held.subarray(head.end, end) };
    }
    if (length === 0) {
      this.#ended = true;
      return undefined;
    }
    const size = this.#number(end);
    if (size === undefined) return undefined;
    this.#at = size.end;
    return { type: 'payload', path: this.#held.toString('latin1', head.end, end), size: size.value };
  }

  #number(start: number): { readonly value: number; readonly end: number } | undefined {
    let value = 0;
    let factor = 1;
    for (let at = start; at < this.#held.length; at++) {
      const byte = this.#held[at] ?? 0;
      value += (byte & 127) * factor;
      factor *= 128;
      if (byte < 128) return { value, end: at + 1 };
    }
    return undefined;
  }
}
