import { unavailable } from '@gantry/core/errors';

export interface DeadlineOptions {
  /** Who has to answer, such as `the runtime`. */
  readonly who: string;
  /** What for, such as `create 4f1c`. */
  readonly what: string;
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs work with a signal that aborts at the deadline, with `unavailable` saying who did not answer, or with the
 * caller's signal. Settles then even if the work does not heed it.
 */
export function withDeadline<T>(options: DeadlineOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return underDeadline(options, (signal) => untilAborted(work(signal), signal));
}

/** As `withDeadline`, for work that heeds its signal: settles when nothing of it is under way any more. */
export async function underDeadline<T>(
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { who, what, milliseconds, signal: outer } = options;
  outer?.throwIfAborted();
  const controller = new AbortController();
  const onOuterAbort = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', onOuterAbort, { once: true });
  const timer = setTimeout(() => {
    controller.abort(unavailable(`${who} did not answer within ${milliseconds / 1000} s to ${what}`));
  }, milliseconds);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onOuterAbort);
  }
}

/** What the promise settles to, or the signal's reason if that comes first. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Whether the promise settles within some milliseconds. Rejects with the signal's reason. */
export async function settlesWithin(
  promise: Promise<unknown>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await untilAborted(Promise.race([settled, late]), signal);
  } finally {
    clearTimeout(timer);
  }
}
