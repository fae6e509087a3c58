import { isRecord } from '@gantry/core/driver';
import type { Change, JsonObject } from './step.js';

/** One change after the other. */
export const all =
  (...changes: readonly Change[]): Change =>
  (value) =>
    changes.reduce((current, change) => change(current), value);

/** Applies a change to each element of a list. */
export const each =
  (change: Change): Change =>
  (value) =>
    Array.isArray(value) ? value.map(change) : value;

/** Applies a change to each value of a map. */
export const eachValue =
  (change: Change): Change =>
  (value) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)])) : value;

/** Applies a change to one member of an object, when it is there. */
export const at =
  (name: string, change: Change): Change =>
  (value) =>
    isRecord(value) && value[name] !== undefined && value[name] !== null
      ? { ...value, [name]: change(value[name]) }
      : value;

/** Applies a change to objects. */
export const ofObject =
  (change: (value: JsonObject) => unknown): Change =>
  (value) =>
    isRecord(value) ? change(value) : value;

/**
 * Adds members, unless they are there. One that is undefined is not: it does not reach the client. Copies the object
 * as a whole: one built member by member takes longer than the rest of an inspect.
 */
export const add = (members: JsonObject | ((value: JsonObject) => JsonObject)): Change =>
  ofObject((value) => {
    const result = { ...value };
    for (const [name, member] of Object.entries(typeof members === 'function' ? members(value) : members))
      if (result[name] === undefined) result[name] = member;
    return result;
  });

/** Removes members. */
export const remove = (...names: readonly string[]): Change =>
  ofObject((value) => Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))));
