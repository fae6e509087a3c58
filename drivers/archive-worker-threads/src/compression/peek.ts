import { once } from 'node:events';
import type { Readable } from 'node:stream';

interface PeekedStream {
  /** Fewer bytes than asked for only when the stream has no more. */
  readonly beginning: Buffer;
  /** Everything, the beginning included. */
  readonly chunks: Readable | readonly Buffer[];
}

/** Reads the first bytes of a stream, which still yields them afterwards. Rejects when the stream fails before. */
export async function peek(stream: Readable, length: number): Promise<PeekedStream> {
  const first: Buffer[] = [];
  let total = 0;
  while (total < length) {
    // All of it: a stream that keeps some says at once that it is readable, again and again.
    const chunk: Buffer | null = stream.read();
    if (chunk !== null) {
      first.push(chunk);
      total += chunk.length;
    } else if (stream.readableEnded || stream.destroyed) break;
    else await readableOrClosed(stream);
  }
  if (stream.errored !== null) throw stream.errored;
  const beginning = Buffer.concat(first).subarray(0, length);
  if (stream.readableEnded || stream.destroyed) return { beginning, chunks: first };
  for (const chunk of first.reverse()) stream.unshift(chunk);
  return { beginning, chunks: stream };
}

async function readableOrClosed(stream: Readable): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race(['readable', 'end', 'close'].map((event) => once(stream, event, { signal })));
  } finally {
    over.abort();
  }
}
