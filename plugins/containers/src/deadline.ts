import { unavailable } from '@gantry/core/errors';

/** Rejects `unavailable` with the reason when the work has not settled in time. The work itself goes on. */
export async function within<T>(milliseconds: number, reason: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(reason)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
