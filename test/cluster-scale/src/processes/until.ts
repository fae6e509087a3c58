import { setTimeout as delay } from 'node:timers/promises';

const interval = 20;

/** Resolves to the milliseconds until a condition held. Rejects when it does not within the limit. */
export async function until(
  what: string,
  seconds: number,
  condition: () => boolean | Promise<boolean>,
): Promise<number> {
  const began = performance.now();
  while (!(await condition())) {
    if (performance.now() - began > seconds * 1000) throw new Error(`not within ${seconds} s: ${what}`);
    await delay(interval);
  }
  return performance.now() - began;
}
