import { oneOf } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';

/** @throws EngineError `invalid-argument` naming the field when a value is given that is below zero. */
export function checkNotNegative(field: string, value: number | undefined): void {
  if (value !== undefined && value < 0) throw invalidArgument(`${field}: ${value} must not be negative`);
}

/** @throws EngineError `invalid-argument` naming the field when a value is given that is none of these. */
export function checkOneOf(field: string, value: string | undefined, allowed: readonly string[]): void {
  if (value !== undefined && value !== '') oneOf(field, value, allowed);
}
