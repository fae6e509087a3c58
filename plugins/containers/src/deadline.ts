import { unavailable } from '@gantry/core/errors';
import type { Clock } from './clock.js';

/** Rejects `unavailable` with the reason when the work has not settled in time. The work itself goes on. */
export async function within<T>(clock: Clock, milliseconds: number, reason: string, work: Promise<T>): Promise<T> {
  let callOff: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    callOff = clock.after(milliseconds, () => reject(unavailable(reason)));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    callOff();
  }
}
