import { readFileSync } from 'node:fs';

/** How many ids the initial user namespace has. */
const allIds = 2 ** 32 - 1;

let isConfinedHere: boolean | undefined;

/**
 * Whether this process is in a user namespace other than the host's: root there may do less than root of the host, and
 * what belongs to other users of the host has no owner.
 */
export function isInUserNamespace(): boolean {
  isConfinedHere ??= mapsFewerIds(readFileSync('/proc/self/uid_map', 'utf8'));
  return isConfinedHere;
}

/** Reads the text of /proc/PID/uid_map. */
export function mapsFewerIds(text: string): boolean {
  const [inside, outside, count] = text.trim().split(/\s+/).map(Number);
  return inside !== 0 || outside !== 0 || count !== allIds;
}
