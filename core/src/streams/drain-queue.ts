import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { BoundedQueue } from './bounded-queue.js';

/**
 * Writes a queue's items to a sink, at the sink's pace, until the queue ends. `encode` turns a portion into bytes,
 * such as `frames`. The sink stays open at the end. When the queue fails or the signal aborts, the sink is destroyed
 * and the promise rejects with the reason. When the sink closes early, the queue is cancelled and the promise
 * resolves: a reader who leaves is no error.
 */
export async function drainQueue<T>(
  queue: BoundedQueue<T>,
  sink: Writable,
  encode: (items: T[]) => Uint8Array,
  options: { readonly signal: AbortSignal },
): Promise<void> {
  // Not `pipeline`: with `end: false` it does not destroy a sink it waits for.
  const stop = new AbortController();
  const abort = () => queue.fail(options.signal.reason);
  const fail = () => sink.destroy();
  const leave = () => {
    queue.cancel();
    stop.abort();
  };
  options.signal.addEventListener('abort', abort);
  queue.failed.addEventListener('abort', fail);
  sink.on('close', leave);
  sink.on('error', leave);
  try {
    if (options.signal.aborted) abort();
    if (sink.destroyed) leave();
    for await (const batch of queue.batches()) {
      if (!sink.write(encode(batch))) await once(sink, 'drain', { signal: stop.signal }).catch(() => undefined);
    }
    queue.failed.throwIfAborted();
  } finally {
    options.signal.removeEventListener('abort', abort);
    queue.failed.removeEventListener('abort', fail);
    sink.off('close', leave);
    sink.off('error', leave);
  }
}
