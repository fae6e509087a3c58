import { LineEncoder, maxText, type RecordParts, timeLength } from '@gantry/lib-log/files';
import { kinds, newline, space, textAt } from '../line.js';

interface Output {
  readonly out: Buffer;
  length: number;
}

/** Encodes spool lines as lines of this driver. */
export class LocalLineEncoder extends LineEncoder<Output> {
  constructor() {
    super(textAt + maxText + 1);
  }

  protected override writerFor(out: Uint8Array): Output {
    return { out: Buffer.from(out.buffer, out.byteOffset, out.byteLength), length: 0 };
  }

  protected override putRecord(writer: Output, text: Uint8Array, { stream, isFull, time, timeAt }: RecordParts): void {
    const { out } = writer;
    const at = writer.length;
    for (let index = 0; index < timeLength; index++) out[at + index] = time[timeAt + index] as number;
    out[at + timeLength] = space;
    out[at + timeLength + 1] = (isFull ? kinds.full : kinds.unfinished)[stream];
    out[at + timeLength + 2] = space;
    out.set(text, at + textAt);
    const end = at + textAt + text.length;
    out[end] = newline;
    writer.length = end + 1;
  }
}
