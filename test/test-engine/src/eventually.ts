import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until `probe` gives something other than undefined or false, and returns that.
 * Rejects after half a minute, which is for busy machines, naming what was waited for.
 */
export async function eventually<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await delay(5);
  }
}
