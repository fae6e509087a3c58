import { setImmediate } from 'node:timers/promises';

/**
 * Resolves once the first piece was read: with the whole log if that was all of it, which can be sent at once where head,
 * body and end would each wake the client; else with all pieces.
 */
export async function startReading(source: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array> | Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true) return nothing;
  const second = pieces.next();
  // An error is thrown where the piece is taken.
  second.catch(() => undefined);
  const next = await Promise.race([second, setImmediate(undefined)]);
  return next?.done === true ? first.value : continued(pieces, first.value, second);
}

const nothing = new Uint8Array();

async function* continued<T>(
  pieces: AsyncIterator<T>,
  first: T,
  second: Promise<IteratorResult<T>>,
): AsyncGenerator<T> {
  try {
    yield first;
    for (let piece = await second; piece.done !== true; piece = await pieces.next()) yield piece.value;
  } finally {
    await pieces.return?.();
  }
}
