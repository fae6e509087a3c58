import type { LogPage, LogRecord } from '@gantry/core/contracts';
import { rfc3339 } from '@gantry/core/driver';
import { type Chunk, frames } from '@gantry/core/streams';

interface LogFormatOptions {
  /** Without frames. */
  readonly raw: boolean;
  /** A time before each line. */
  readonly timestamps: boolean;
  /** The labels and environment that the driver keeps, before each line. */
  readonly details: boolean;
  /** Gets every record before its bytes are returned. */
  readonly see?: (record: LogRecord) => void;
}

const newline = Buffer.from('\n');

/** Formats the records that a log driver reads as clients receive them. */
export class LogFormat {
  readonly #options: LogFormatOptions;
  /** Streams in the middle of a line, whose start had the prefix. */
  readonly #inLine = new Set<string>();

  constructor(options: LogFormatOptions) {
    this.#options = options;
  }

  bytes(page: LogPage): Uint8Array {
    const { raw, timestamps, details, see } = this.#options;
    const bytes = timestamps || details || see !== undefined ? undefined : raw ? page.texts?.() : page.frames?.();
    if (bytes !== undefined) return bytes;
    const chunks: Chunk[] = [];
    for (const record of page.records()) {
      see?.(record);
      chunks.push({ stream: record.stream, data: this.#line(record) });
    }
    return raw ? Buffer.concat(chunks.map((chunk) => chunk.data)) : frames(chunks);
  }

  #line(record: LogRecord): Uint8Array {
    const { stream, partial } = record;
    const prefix = this.#inLine.has(stream) ? '' : this.#prefix(record);
    if (partial) this.#inLine.add(stream);
    else this.#inLine.delete(stream);
    if (prefix === '' && partial) return record.line;
    return Buffer.concat([Buffer.from(prefix), record.line, ...(partial ? [] : [newline])]);
  }

  #prefix({ time, attributes }: LogRecord): string {
    const { timestamps, details } = this.#options;
    const pairs = Object.entries(attributes ?? {}).map(([key, value]) => `${attribute(key)}=${attribute(value)}`);
    return `${timestamps ? `${rfc3339(time)} ` : ''}${details ? `${pairs.sort().join(',')} ` : ''}`;
  }
}

/** Commas and equal signs in it are escaped, as they separate the pairs. */
const attribute = (text: string): string => encodeURIComponent(text);
