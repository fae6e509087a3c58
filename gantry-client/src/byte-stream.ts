import { Readable } from 'node:stream';
import { buffer, json, text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';

/** Bytes as they arrive, as a stream of Node or of the web, or whole. They are read once. */
export class ByteStream implements AsyncIterable<Buffer> {
  constructor(
    /** Node's stream. */
    readonly node: Readable,
  ) {}

  /** The same as a stream of the web. */
  get web(): ReadableStream<Uint8Array> {
    return Readable.toWeb(this.node) as ReadableStream<Uint8Array>;
  }

  bytes(): Promise<Buffer> {
    return buffer(this.node);
  }

  text(): Promise<string> {
    return text(this.node);
  }

  json(): Promise<unknown> {
    return json(this.node);
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return this.node[Symbol.asyncIterator]();
  }
}
