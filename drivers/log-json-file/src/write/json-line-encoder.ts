import {
  type ByStream,
  LineEncoder,
  maxText,
  type RecordParts,
  TextSource,
  timeLength,
  usualHeader,
  usualStream,
} from '@gantry/lib-log/files';
import { type Words, wordsOf } from '../words.js';
import { longestEscape } from './json-escape.js';
import { RecordWriter } from './record-writer.js';

const head = wordsOf('{"log":"');
const tail = wordsOf('Z"}\n');

const afterText = (attributes: string | undefined, stream: string, end: string): Words => {
  const attrs = attributes === undefined ? '' : `"attrs":${attributes},`;
  return wordsOf(`${end}","stream":"${stream}",${attrs}"time":"`);
};

/** Encodes spool lines as JSON lines: `{"log":"text\n","stream":"stdout","time":"2026-01-01T00:00:00.000000000Z"}`. */
export class JsonLineEncoder extends LineEncoder<RecordWriter> {
  /** What follows the text, by stream: with the line's end, and without. */
  readonly #full: ByStream<Words>;
  readonly #unfinished: ByStream<Words>;

  /** @param attributes JSON of the object that each record has. */
  constructor(attributes?: string) {
    const full = [afterText(attributes, 'stdout', '\\n'), afterText(attributes, 'stderr', '\\n')] as const;
    super(head.length + maxText * longestEscape + full[0].length + timeLength + tail.length);
    this.#full = full;
    this.#unfinished = [afterText(attributes, 'stdout', ''), afterText(attributes, 'stderr', '')];
  }

  protected override writerFor(out: Uint8Array): RecordWriter {
    return new RecordWriter(out);
  }

  protected override encodeUsualLine(spool: TextSource, at: number, writer: RecordWriter): number {
    const stream = usualStream(spool.view, at);
    if (stream === undefined || this.partial[stream] !== undefined) return at;
    const before = writer.length;
    if (before + this.longestRecord > writer.out.length) return at;
    writer.put(head);
    const newline = writer.escapeLine(spool, at + usualHeader, maxText);
    if (newline < 0) {
      writer.length = before;
      return at;
    }
    writer.put(this.#full[stream]);
    writer.copyTime(spool, at);
    writer.put(tail);
    return newline + 1;
  }

  protected override putRecord(writer: RecordWriter, text: Uint8Array, { stream, isFull, time, timeAt }: RecordParts) {
    writer.put(head);
    writer.escape(new TextSource(text), 0, text.length);
    writer.put((isFull ? this.#full : this.#unfinished)[stream]);
    writer.copy(time, timeAt, timeLength);
    writer.put(tail);
  }
}
