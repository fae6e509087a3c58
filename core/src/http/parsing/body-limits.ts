import { type EngineError, invalidArgument } from '../../errors/engine-error.js';

/** What a client may ask of the engine by sending a body. */
export interface BodyLimits {
  /** Most values, members and elements together, of JSON. */
  readonly values: number;
  /** Milliseconds for a body that is read in one piece to arrive whole; 0 is without end. */
  readonly time: number;
  /** Milliseconds between two parts of an archive, while the engine waits for the next; 0 is without end. */
  readonly idle: number;
}

export const defaultBodyLimits: BodyLimits = { values: 500_000, time: 60_000, idle: 600_000 };

export const bodyTooLarge = (limit: number): EngineError =>
  invalidArgument(`the body of the request is larger than the limit of ${limit} bytes`);

export const bodyTimeout = (time: number): EngineError =>
  invalidArgument(`the body of the request did not arrive within ${time / 1000} s`);

export const partTimeout = (idle: number): EngineError =>
  invalidArgument(`the next part of the body of the request did not arrive within ${idle / 1000} s`);
