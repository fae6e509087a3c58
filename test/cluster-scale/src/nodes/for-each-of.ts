/** Does something with each item, so many at a time. Rejects as the first that fails, once those in progress have ended. */
export async function forEachOf<T>(
  items: readonly T[],
  concurrency: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const errors: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const item of rest) {
      if (errors.length > 0) return;
      await act(item).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (errors.length > 0) throw errors[0];
}
