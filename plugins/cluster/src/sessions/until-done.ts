import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds. */
const retryDelay = 1_000;

/** Repeats what fails, until it succeeds or the session ends. Never rejects: each failure is handed to `failed`. */
export async function untilDone(
  signal: AbortSignal,
  work: () => Promise<void>,
  failed: (err: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
      return;
    } catch (err) {
      if (signal.aborted) return;
      failed(err);
      await delay(retryDelay, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
    }
  }
}
