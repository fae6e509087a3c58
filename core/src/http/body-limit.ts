import { type EngineError, invalidArgument } from '../kernel/errors.js';

export const bodyTooLarge = (limit: number): EngineError =>
  invalidArgument(`the body of the request is larger than the limit of ${limit} bytes`);
