import { type Chunk, Demultiplexer, frames } from '@gantry/core/streams';

const newline = 0x0a;

interface LineOptions {
  /** Stands at the beginning of every line, behind its time. */
  readonly label: string;
  /** Lines begin with their time. */
  readonly timestamps: boolean;
  /** Output of a terminal, which is not framed. */
  readonly raw: boolean;
}

/** Puts a label into every line of a container's log. */
export class LabelledLines {
  readonly #demultiplexer = new Demultiplexer();
  /** Streams in the middle of a line. */
  readonly #inLine = new Set<string>();

  constructor(private readonly options: LineOptions) {}

  push(bytes: Uint8Array): Uint8Array {
    const { label, raw } = this.options;
    if (label === '') return bytes;
    // The bytes are valid until the one after the next piece is asked for, and chunks are views of them.
    const chunks: Chunk[] = raw ? [{ stream: 'stdout', data: bytes }] : this.#demultiplexer.push(bytes);
    const labelled = chunks.map(({ data, stream }) => ({ stream, data: this.#label(stream, data) }));
    return raw ? Buffer.concat(labelled.map(({ data }) => data)) : frames(labelled);
  }

  #label(stream: string, data: Uint8Array): Uint8Array {
    const pieces: Uint8Array[] = [];
    for (let from = 0; from < data.length; ) {
      const end = data.indexOf(newline, from);
      const line = data.subarray(from, end < 0 ? data.length : end + 1);
      if (this.#inLine.has(stream)) pieces.push(line);
      else pieces.push(...this.#labelLine(line));
      if (end < 0) this.#inLine.add(stream);
      else this.#inLine.delete(stream);
      from += line.length;
    }
    return Buffer.concat(pieces);
  }

  #labelLine(line: Uint8Array): readonly Uint8Array[] {
    const { label, timestamps } = this.options;
    const cut = timestamps ? line.indexOf(0x20) + 1 : 0;
    return [line.subarray(0, cut), Buffer.from(`${label} `), line.subarray(cut)];
  }
}
