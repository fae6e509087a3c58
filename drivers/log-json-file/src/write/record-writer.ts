import { copyWords, hasSpecial, viewOf, type Words } from '../words.js';
import { escapeAt, isSpecial } from './json-escape.js';

/** Bytes to read texts from. */
export class TextSource {
  readonly view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.view = viewOf(bytes);
  }
}

/** Writes the parts of JSON lines one after the other. The caller sees to it that there is room. */
export class RecordWriter {
  /** How many bytes are written. */
  length = 0;
  readonly #view: DataView;

  constructor(readonly out: Uint8Array) {
    this.#view = viewOf(out);
  }

  /** Writes a fixed text. */
  put(words: Words): void {
    this.length = copyWords(this.#view, this.length, words);
  }

  /** Copies bytes that need no escaping. */
  copy(bytes: Uint8Array, from: number, length: number): void {
    const { out, length: start } = this;
    for (let index = 0; index < length; index++) out[start + index] = bytes[from + index] as number;
    this.length = start + length;
  }

  /** Copies the 29 bytes of a time. */
  copyTime({ bytes, view: source }: TextSource, from: number): void {
    const { out, length: to } = this;
    const target = this.#view;
    for (let index = 0; index < 28; index += 4) target.setInt32(to + index, source.getInt32(from + index, true), true);
    out[to + 28] = bytes[from + 28] as number;
    this.length = to + 29;
  }

  /**
   * Writes a text up to its newline as the inside of a JSON string.
   * @returns where the newline is; -1 if there is none within `limit` bytes.
   */
  escapeLine({ bytes, view: source }: TextSource, from: number, limit: number): number {
    const out = this.out;
    const target = this.#view;
    const end = Math.min(bytes.length, from + limit + 1);
    const lastWord = end - 4;
    let to = this.length;
    for (let index = from; index < end; ) {
      for (; index <= lastWord; index += 4) {
        const word = source.getInt32(index, true);
        if (hasSpecial(word)) break;
        target.setInt32(to, word, true);
        to += 4;
      }
      if (index >= end) break;
      const byte = bytes[index] as number;
      if (byte === 0x0a) {
        this.length = to;
        return index;
      }
      if (isSpecial(byte)) {
        const { read, written } = escapeAt(bytes, index, bytes.length, out, to);
        index += read;
        to += written;
      } else {
        out[to++] = byte;
        index++;
      }
    }
    return -1;
  }

  /** Writes a range of a text as the inside of a JSON string. */
  escape({ bytes, view: source }: TextSource, from: number, end: number): void {
    const out = this.out;
    const target = this.#view;
    let to = this.length;
    for (let index = from; index < end; ) {
      for (; index + 4 <= end; index += 4) {
        const word = source.getInt32(index, true);
        if (hasSpecial(word)) break;
        target.setInt32(to, word, true);
        to += 4;
      }
      if (index >= end) break;
      const byte = bytes[index] as number;
      if (isSpecial(byte)) {
        const { read, written } = escapeAt(bytes, index, end, out, to);
        index += read;
        to += written;
      } else {
        out[to++] = byte;
        index++;
      }
    }
    this.length = to;
  }
}
