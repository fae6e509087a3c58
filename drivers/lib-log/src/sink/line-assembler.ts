import type { LogRecord } from '@gantry/core/contracts';
import type { LogMessage } from './message.js';

/** Most bytes of a message. */
const longest = 16_384;

/** The beginning of a line whose end has not come. */
export interface OpenLine {
  readonly time: bigint;
  readonly text: Buffer;
  /** Pieces of it that were sent before. */
  readonly pieces: number;
}

export interface AssemblerState {
  /** Messages so far. */
  readonly ordinal: number;
  readonly open: { readonly stdout?: OpenLine; readonly stderr?: OpenLine };
}

/** Makes lines of the parts that the spool has them in. The same records make the same messages from the same state. */
export class LineAssembler {
  #ordinal: number;
  readonly #open = new Map<string, OpenLine>();

  constructor({ ordinal, open }: AssemblerState) {
    this.#ordinal = ordinal;
    for (const stream of ['stdout', 'stderr'] as const) {
      const line = open[stream];
      if (line !== undefined) this.#open.set(stream, line);
    }
  }

  get state(): AssemblerState {
    return { ordinal: this.#ordinal, open: Object.fromEntries(this.#open) };
  }

  *messages(records: Iterable<LogRecord>): Generator<LogMessage> {
    for (const record of records) yield* this.#add(record);
  }

  /** The beginnings of lines whose ends will not come. */
  *rest(): Generator<LogMessage> {
    for (const stream of ['stdout', 'stderr'] as const) {
      const open = this.#open.get(stream);
      this.#open.delete(stream);
      if (open !== undefined && open.text.length > 0) yield this.#message(stream, open, open.text, true);
    }
  }

  *#add({ stream, time, line, partial }: LogRecord): Generator<LogMessage> {
    const before = this.#open.get(stream);
    const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    if (before === undefined && !partial && bytes.length <= longest) {
      yield { stream, time, line: bytes, partial: false, ordinal: ++this.#ordinal };
      return;
    }
    let open: OpenLine = before ?? { time, text: Buffer.alloc(0), pieces: 0 };
    open = { ...open, text: Buffer.concat([open.text, bytes]) };
    while (open.text.length > longest) {
      yield this.#message(stream, open, open.text.subarray(0, longest), true);
      open = { ...open, text: open.text.subarray(longest), pieces: open.pieces + 1 };
    }
    if (partial) this.#open.set(stream, open);
    else {
      this.#open.delete(stream);
      yield this.#message(stream, open, open.text, false);
    }
  }

  #message(stream: 'stdout' | 'stderr', open: OpenLine, line: Buffer, partial: boolean): LogMessage {
    const { time, pieces } = open;
    const isPiece = partial || pieces > 0;
    const piece = { id: `${stream}${time.toString(16)}`, ordinal: pieces + 1 };
    return { stream, time, line, partial, ordinal: ++this.#ordinal, ...(isPiece && { piece }) };
  }
}
