import { type EngineError, invalidArgument } from '@gantry/core/errors';
import type { HostFacts } from '../host/host-facts.js';
import type { HostConfig } from '../schema.js';

/** What checks of a host configuration depend on. */
export interface Checks {
  readonly host: HostFacts;
  /** Adds a warning to the answer. */
  warn(message: string): void;
}

/** Checks some fields of a host configuration, and returns it as it is stored. @throws EngineError `invalid-argument`. */
export type HostConfigCheck = (wish: HostConfig, checks: Checks) => HostConfig;

/** The host configuration without some of its fields. */
export function without(wish: HostConfig, ...names: readonly (keyof HostConfig)[]): HostConfig {
  return Object.fromEntries(
    Object.entries(wish).filter(([name]) => !(names as readonly string[]).includes(name)),
  ) as HostConfig;
}

/** The error for a number that is too small or too large. */
export const outOfRange = (field: string, value: number, lowest: number, highest: number | string): EngineError =>
  invalidArgument(`${field}: ${value} is out of range [${lowest}, ${highest}]`);

/** @throws EngineError `invalid-argument` naming field, value and range. */
export function checkRange(field: string, value: number | undefined, lowest: number, highest: number): void {
  if (value !== undefined && (value < lowest || value > highest)) throw outOfRange(field, value, lowest, highest);
}

/** Text that would break the line of a file it is written to, or split into two words there. */
export const hasBlank = (text: string): boolean => /[\s\p{Cc}]/u.test(text);
