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
