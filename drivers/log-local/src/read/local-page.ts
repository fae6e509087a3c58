import type { LogPage, LogRecord } from '@gantry/core/contracts';
import { type RecordFilter, TimeReader } from '@gantry/lib-log/files';
import { newline } from '../line.js';
import { LocalLine } from './local-line.js';

const nothing = Buffer.alloc(0);
const frameHeader = 8;

/** The whole lines of a block, decoded when asked for. */
export class LocalPage implements LogPage {
  constructor(
    private readonly block: Buffer,
    private readonly filter: RecordFilter,
    /** What it is to make frames in. */
    private readonly out: Buffer = nothing,
  ) {}

  *records(): Iterable<LogRecord> {
    const times = new TimeReader(this.block);
    // The block is used again for another page, which some records outlive.
    const texts = Buffer.from(this.block);
    for (const { timeAt, start, end, isError, isFull } of this.#lines()) {
      yield {
        stream: isError ? 'stderr' : 'stdout',
        time: times.read(timeAt),
        line: texts.subarray(start, end),
        partial: !isFull,
      };
    }
  }

  frames(): Uint8Array {
    return this.#texts(frameHeader);
  }

  texts(): Uint8Array {
    return this.#texts(0);
  }

  /** The frame never overruns the line it is made of: a line has more bytes around its text than a frame. */
  #texts(headerLength: 0 | typeof frameHeader): Uint8Array {
    const { block } = this;
    const out = this.out.length < block.length ? Buffer.allocUnsafe(block.length) : this.out;
    let to = 0;
    for (const { start, end, isError, isFull } of this.#lines()) {
      const length = end - start + (isFull ? 1 : 0);
      if (headerLength > 0) {
        out.writeUInt32BE(isError ? 0x02000000 : 0x01000000, to);
        out.writeUInt32BE(length, to + 4);
      }
      to += headerLength + block.copy(out, to + headerLength, start, end);
      if (isFull) out[to++] = newline;
    }
    return out.subarray(0, to);
  }

  /** The selected ones; the same object each time. */
  *#lines(): Generator<LocalLine> {
    const { block, filter } = this;
    const line = new LocalLine();
    for (let at = 0; at < block.length; at = line.next) {
      if (!line.decode(block, at, block.length)) {
        if (line.next === at) return;
      } else if (filter.accepts(line, block)) yield line;
    }
  }
}
