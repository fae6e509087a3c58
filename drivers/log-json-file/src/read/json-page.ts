import type { LogPage, LogRecord } from '@gantry/core/contracts';
import { type RecordFilter, TimeReader } from '@gantry/lib-log/files';
import { framesOf } from './frames-of.js';
import { LineDecoder } from './line-decoder.js';

/** How a file's lines are to be read. */
export interface Reading {
  readonly filter: RecordFilter;
  /** JSON of the attributes that most lines have. */
  readonly attributes: string | undefined;
}

const nothing = Buffer.alloc(0);

/** The whole lines of a block, decoded when asked for. */
export class JsonPage implements LogPage {
  constructor(
    private readonly block: Buffer,
    private readonly reading: Reading,
    /** What it is to make frames in. */
    private readonly out: Buffer = nothing,
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
    return this.#texts(8);
  }

  texts(): Uint8Array {
    return this.#texts(0);
  }

  #texts(headerLength: 0 | 8): Uint8Array {
    const { block, reading, out } = this;
    const room = out.length < block.length ? Buffer.allocUnsafe(block.length) : out;
    return room.subarray(0, framesOf(block, reading, headerLength, room));
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
