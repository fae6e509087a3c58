import type { Writable } from 'node:stream';

/** Resolves when a stream takes more, at once when it does already, and when it has failed or closed. Never rejects. */
export function drained(stream: Writable): Promise<void> {
  if (stream.destroyed || stream.writableNeedDrain === false) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.once('drain', done);
    stream.once('close', done);
  });
}
