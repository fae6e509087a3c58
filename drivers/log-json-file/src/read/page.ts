import type { LogPage, LogRecord } from '@gantry/core/contracts';
import { LineDecoder } from './line-decoder.js';
import type { RecordFilter } from './record-filter.js';
import { TimeReader } from './time.js';

/** How a file's lines are to be read. */
export interface Reading {
  readonly filter: RecordFilter;
  /** JSON of the attributes that most lines have. */
  readonly attributes: string | undefined;
}

/** The whole lines of a block, decoded when asked for. */
export class JsonPage implements LogPage {
  constructor(
    private readonly block: Buffer,
    private readonly reading: Reading,
  ) {}

  *records(): Iterable<LogRecord> {
    const { block, reading } = this;
    const line = new LineDecoder(reading.attributes);
    const times = new TimeReader(block);
    const texts = Buffer.allocUnsafe(block.length);
    for (let at = 0, start = 0; at < block.length; at = line.next) {
      if (!line.decode(block, at, block.length, texts, start)) {
        if (line.next === at) return;
      } else if (reading.filter.accepts(line, block)) {
        yield this.#record(line, line.foreign?.time ?? times.read(line.timeAt), texts.subarray(start, line.end));
        start = line.end;
      }
    }
  }

  frames(): Uint8Array {
    const { block, reading } = this;
    const line = new LineDecoder(reading.attributes);
    const out = Buffer.allocUnsafe(block.length);
    let to = 0;
    for (let at = 0; at < block.length; at = line.next) {
      // A line is longer than its text by more than the frame's header is.
      if (!line.decode(block, at, block.length, out, to + 8)) {
        if (line.next === at) break;
      } else if (reading.filter.accepts(line, block)) {
        const length = line.end - to - 8;
        out[to] = line.isError ? 2 : 1;
        out[to + 1] = 0;
        out[to + 2] = 0;
        out[to + 3] = 0;
        out[to + 4] = length >>> 24;
        out[to + 5] = length >>> 16;
        out[to + 6] = length >>> 8;
        out[to + 7] = length;
        to = line.end;
      }
    }
    return out.subarray(0, to);
  }

  #record(line: LineDecoder, time: bigint, text: Buffer): LogRecord {
    const isPartial = text[text.length - 1] !== 0x0a;
    const attributes = this.#attributes(line);
    return {
      stream: line.isError ? 'stderr' : 'stdout',
      time,
      line: isPartial ? text : text.subarray(0, -1),
      partial: isPartial,
      ...(attributes !== undefined && { attributes }),
    };
  }

  #attributes({ foreign, attributesAt, attributesEnd }: LineDecoder): Readonly<Record<string, string>> | undefined {
    if (foreign !== undefined) return foreign.attributes;
    if (attributesAt === attributesEnd) return undefined;
    return JSON.parse(this.block.toString('utf8', attributesAt, attributesEnd));
  }
}
