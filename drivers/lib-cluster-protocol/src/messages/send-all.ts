import type { Http2Stream } from 'node:http2';
import { abortable } from '@gantry/core/driver';
import { drained } from '@gantry/core/streams';

/**
 * Writes all that a source has to a stream, and ends it. Rejects with what the source throws, and when the signal aborts, as it has
 * to when the stream is closed; the stream is left to the caller then, and the source is not waited for.
 *
 * This is no pipeline: one destroys the stream as soon as Node begins to abort it, when a connection is lost. The HTTP/2 library
 * of Node does not know of the end then. When another stream of the connection ends, it asks for the data of this one, is given
 * none, and makes empty frames without end, in memory.
 */
export async function sendAll(
  source: AsyncIterable<string | Uint8Array>,
  stream: Http2Stream,
  signal: AbortSignal,
): Promise<void> {
  const pieces = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await abortable(pieces.next(), signal);
      if (done === true) break;
      if (!stream.write(value)) await drained(stream);
    }
    stream.end();
  } finally {
    pieces.return?.().catch(() => undefined); // why sending has ended is known
  }
}
