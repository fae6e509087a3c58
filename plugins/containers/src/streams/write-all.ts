import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes at the sink's pace. The sink stays open. Resolves early when it closes or the signal aborts. */
export async function writeAll(source: AsyncIterable<Uint8Array>, sink: Writable, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const leave = () => stop.abort();
  sink.on('close', leave);
  signal.addEventListener('abort', leave);
  try {
    for await (const bytes of source) {
      if (sink.destroyed || signal.aborted) return;
      if (!sink.write(bytes)) await once(sink, 'drain', { signal: stop.signal }).catch(() => undefined);
    }
  } catch (error) {
    if (!signal.aborted && !sink.destroyed) throw error;
  } finally {
    sink.off('close', leave);
    signal.removeEventListener('abort', leave);
  }
}
