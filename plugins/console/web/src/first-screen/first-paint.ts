/** Milliseconds after which a page that is not in sight goes on. */
const timeout = 300;

/** Resolves when the first frame is on the screen, which running more scripts before would delay. */
export const firstPaint = (): Promise<void> =>
  new Promise((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, timeout);
  });
