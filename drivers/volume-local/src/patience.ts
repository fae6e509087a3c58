import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@gantry/core/errors';

/** Waits for work that cannot be called off. Rejects `unavailable` with `what` after the seconds, AbortError at abort. */
export async function withPatience<R>(
  what: string,
  work: Promise<R>,
  seconds: number,
  signal?: AbortSignal,
): Promise<R> {
  const done = new AbortController();
  const aborted = (): void => done.abort(signal?.reason);
  signal?.addEventListener('abort', aborted, { once: true });
  try {
    const late = delay(seconds * 1000, undefined, { signal: done.signal, ref: false }).then(
      () => {
        throw unavailable(`${what}: no answer within ${seconds} s`);
      },
      () => {
        throw signal?.reason;
      },
    );
    late.catch(() => undefined);
    return await Promise.race([work, late]);
  } finally {
    signal?.removeEventListener('abort', aborted);
    done.abort();
  }
}
