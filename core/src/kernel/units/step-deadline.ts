import type { DeadlineOptions } from '../../concurrency/deadline.js';

/** The deadline of one step of a package's lifecycle, such as `volume/local: starting`. */
export const stepDeadline = (step: string, milliseconds: number): DeadlineOptions => ({
  milliseconds,
  error: `${step} did not finish within ${milliseconds / 1000} s`,
});
