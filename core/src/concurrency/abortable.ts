/**
 * What the work settles to, or a rejection with the signal's reason if that comes first. The work itself goes on: use
 * it for work that is shared, or that does not observe a signal.
 */
export async function abortable<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const settled = Promise.resolve(work);
  settled.catch(() => undefined); // after an abort nothing else handles its rejection
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([settled, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
