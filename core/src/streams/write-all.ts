import type { Writable } from 'node:stream';

/**
 * Writes a source to a sink with backpressure: one piece is being written while the next is produced, and none is kept
 * longer, so that the source may reuse its buffers. The sink stays open, and the last piece may still be in flight.
 * Resolves early when the sink closes or the signal aborts.
 */
export async function writeAll(source: AsyncIterable<Uint8Array>, sink: Writable, signal: AbortSignal): Promise<void> {
  const waiting = new Set<() => void>();
  const leave = () => {
    for (const resume of waiting) resume();
  };
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve) => {
      const done = () => {
        waiting.delete(done);
        resolve();
      };
      waiting.add(done);
      sink.write(bytes, done);
    });
  sink.on('close', leave);
  signal.addEventListener('abort', leave);
  let previous: Promise<void> | undefined;
  try {
    for await (const bytes of source) {
      if (sink.destroyed || signal.aborted) return;
      const current = write(bytes);
      await previous;
      previous = current;
    }
  } catch (error) {
    if (!signal.aborted && !sink.destroyed) throw error;
  } finally {
    sink.off('close', leave);
    signal.removeEventListener('abort', leave);
  }
}
