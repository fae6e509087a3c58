import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionError, RegistryError } from './registry-error.js';

export interface RetryPolicy {
  /** Tries without progress. */
  readonly attempts: number;
  /** Milliseconds before the second try. */
  readonly delay: number;
}

/** Longest wait between two tries, in milliseconds. */
const longest = 30_000;

/** Whether another try may do better. */
export const isPassing = (error: unknown): boolean =>
  error instanceof RegistryError ? error.isPassing : error instanceof ConnectionError && !error.isRefused;

/** Milliseconds to wait after the given number of failures in a row. */
export function backoff(policy: RetryPolicy, failures: number, error: unknown): number {
  const asked = error instanceof RegistryError ? (error.retryAfter ?? 0) : 0;
  const grown = policy.delay * 2 ** (failures - 1) * (0.75 + Math.random() / 2);
  return Math.min(longest, Math.max(asked, grown));
}

/** Tries until it works, or fails for good. */
export async function retrying<T>(
  policy: RetryPolicy,
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (failures >= policy.attempts || !isPassing(error)) throw error;
      await delay(backoff(policy, failures, error), undefined, signal === undefined ? {} : { signal });
    }
  }
}
