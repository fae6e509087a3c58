import type { DeadlineOptions } from '../../concurrency/deadline.js';
import { unavailable } from '../../errors/engine-error.js';

/**
 * The deadline of one step of a package's lifecycle, such as `volume/local: starting`.
 * @param pending names what the step waits for, such as `start()`, when the deadline has come.
 */
export const stepDeadline = (step: string, milliseconds: number, pending?: () => string): DeadlineOptions => ({
  milliseconds,
  error: () => {
    const late = `${step} did not finish within ${milliseconds / 1000} s`;
    return unavailable(pending === undefined ? late : `${late}: ${pending()} has not settled`);
  },
});
