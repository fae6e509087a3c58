import { invalidArgument } from '../errors/engine-error.js';

/** The value, when it is one of those allowed. @throws EngineError `invalid-argument` naming the field and the value. */
export function oneOf<T extends string>(field: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalidArgument(`${field}: "${value}" is none of ${allowed.join(', ')}`);
  return found;
}
