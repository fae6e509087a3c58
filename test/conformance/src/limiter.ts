/** Lets at most `size` callers run at once; the others wait in order. */
export function limiter(size: number): <R>(work: () => Promise<R>) => Promise<R> {
  let free = size;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next !== undefined) next();
      else free++;
    }
  };
}
