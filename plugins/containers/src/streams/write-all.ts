import type { Writable } from 'node:stream';

/**
 * Writes at the sink's pace: one piece is under way while the next is made, and none is kept longer, so that a source
 * may use its memory again. The sink stays open, and the last piece may be on its way still. Resolves early when the
 * sink closes or the signal aborts.
 */
export async function writeAll(source: AsyncIterable<Uint8Array>, sink: Writable, signal: AbortSignal): Promise<void> {
  const waiting = new Set<() => void>();
  const leave = () => {
    for (const go of waiting) go();
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
  let before: Promise<void> | undefined;
  try {
    for await (const bytes of source) {
      if (sink.destroyed || signal.aborted) return;
      const now = write(bytes);
      await before;
      before = now;
    }
  } catch (error) {
    if (!signal.aborted && !sink.destroyed) throw error;
  } finally {
    sink.off('close', leave);
    signal.removeEventListener('abort', leave);
  }
}
