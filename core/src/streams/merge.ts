/** One piece of a source, its end, or its failure. */
type Arrival<T> = { readonly source: AsyncIterator<T> } & (
  | { readonly result: IteratorResult<T, unknown> }
  | { readonly error: unknown }
);

/**
 * The pieces of several sources as they arrive. A source is asked for its next piece when its last one has been taken, so
 * that it may reuse its buffers as if it were read alone. The first failure ends all.
 */
export async function* merge<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const open = new Set(sources.map((source) => source[Symbol.asyncIterator]()));
  const arrivals: Arrival<T>[] = [];
  let notify = (): void => undefined;
  const ask = async (source: AsyncIterator<T>): Promise<void> => {
    try {
      arrivals.push({ source, result: await source.next() });
    } catch (error) {
      arrivals.push({ source, error });
    }
    notify();
  };
  for (const source of open) void ask(source);
  try {
    while (open.size > 0) {
      const arrival = arrivals.shift();
      if (arrival === undefined) {
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      } else if ('error' in arrival) {
        open.delete(arrival.source);
        throw arrival.error;
      } else if (arrival.result.done === true) {
        open.delete(arrival.source);
      } else {
        yield arrival.result.value;
        void ask(arrival.source);
      }
    }
  } finally {
    // Not awaited: a source that waits for its next piece ends only when that comes, or its signal aborts.
    for (const source of open) source.return?.().catch(() => undefined);
  }
}
