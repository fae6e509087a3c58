import { unavailable } from '../errors/engine-error.js';
import { abortable } from './abortable.js';
import { followSignal } from './linked-signal.js';
import { systemTimer, type Timer } from './timer.js';

export interface DeadlineOptions {
  readonly milliseconds: number;
  /** What the work is aborted and rejected with: a message for `unavailable`, or a function that makes the error. */
  readonly error: string | (() => Error);
  /** Aborts the work earlier, with its own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Settles only when the work does, for work that observes its signal; else at the deadline. */
  readonly awaitsWork?: boolean;
  readonly timer?: Timer;
}

/**
 * Runs work with a signal that aborts at the deadline or with the caller's signal. Rejects then with the error, even if
 * the work ignores its signal; such work goes on, and what it settles to is ignored.
 */
export async function withDeadline<T>(
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const { milliseconds, error, signal: outer, awaitsWork = false, timer = systemTimer } = options;
  outer?.throwIfAborted();
  const controller = new AbortController();
  const unfollow = outer && followSignal(outer, ({ reason }) => controller.abort(reason));
  const cancelTimer = timer.after(milliseconds, () => {
    controller.abort(typeof error === 'string' ? unavailable(error) : error());
  });
  try {
    const result = work(controller.signal);
    return await (awaitsWork ? result : abortable(result, controller.signal));
  } finally {
    cancelTimer();
    unfollow?.();
  }
}

export interface SettlesWithinOptions {
  /** Rejects with its reason when it aborts first. */
  readonly signal?: AbortSignal | undefined;
  readonly timer?: Timer;
}

/** Whether the work settles, either way, within so many milliseconds. The work itself goes on. */
export async function settlesWithin(
  work: Promise<unknown>,
  milliseconds: number,
  { signal, timer = systemTimer }: SettlesWithinOptions = {},
): Promise<boolean> {
  let cancelTimer = (): void => undefined;
  const late = new Promise<false>((resolve) => {
    cancelTimer = timer.after(milliseconds, () => resolve(false));
  });
  const settled = work.then(
    () => true,
    () => true,
  );
  try {
    return await abortable(Promise.race([settled, late]), signal);
  } finally {
    cancelTimer();
  }
}
