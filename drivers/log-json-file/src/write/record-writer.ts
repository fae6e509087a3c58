import type { TextSource } from '@gantry/lib-log/files';
import { copyWords, hasSpecial, viewOf, type Words } from '../words.js';
import { escapeAt, isSpecial } from './json-escape.js';

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
  escapeLine(source: TextSource, from: number, limit: number): number {
    const start = this.length;
    const { bytes } = source;
    const newline = this.#escapeUntil(source, from, Math.min(bytes.length, from + limit + 1), bytes.length, 0x0a);
    if (newline === -1) this.length = start;
    return newline;
  }

  /** Writes a range of a text as the inside of a JSON string. */
  escape(source: TextSource, from: number, end: number): void {
    this.#escapeUntil(source, from, end, end, -1);
  }

  /**
   * @param characterEnd how far a character that begins before `end` may be read.
   * @param stop a byte that ends the text; -1 for none.
   * @returns where that byte is; -1 if it is not before `end`.
   */
  #escapeUntil({ bytes, view: source }: TextSource, from: number, end: number, characterEnd: number, stop: number) {
    const out = this.out;
    const target = this.#view;
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
      if (byte === stop) {
        this.length = to;
        return index;
      }
      if (isSpecial(byte)) {
        const { read, written } = escapeAt(bytes, index, characterEnd, out, to);
        index += read;
        to += written;
      } else {
        out[to++] = byte;
        index++;
      }
    }
    this.length = to;
    return -1;
  }
}
