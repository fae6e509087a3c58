import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ApiError } from './api-error.js';

/** Reads a stream of JSON objects. @throws ApiError when the engine ends it with an error. */
export async function* jsonLines<T>(body: Readable, route: string): AsyncGenerator<T, void> {
  const lines = createInterface({ input: body, crlfDelay: Number.POSITIVE_INFINITY });
  // The interface would end quietly when the connection breaks.
  const broken = new Promise<never>((_, reject) => body.once('error', reject));
  broken.catch(() => undefined);
  try {
    const iterator = lines[Symbol.asyncIterator]();
    for (;;) {
      const { value, done } = await Promise.race([iterator.next(), broken]);
      if (done === true) break;
      if (value.trim() === '') continue;
      const item = JSON.parse(value) as T & { readonly error?: unknown };
      if (typeof item.error === 'string') throw new ApiError(item.error, 200, route);
      yield item as Awaited<T>;
    }
    if (body.errored !== null) throw body.errored;
  } finally {
    lines.close();
    body.destroy();
  }
}
