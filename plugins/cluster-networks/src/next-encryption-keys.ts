import { onCalendar } from '@gantry/cluster/service';
import type { EncryptionKeyState, SealedKey } from './encryption-key-kind.js';

/** Milliseconds for which nodes send with a key. */
export const rotationInterval = onCalendar(12 * 3_600_000);

/** The one that nodes sent with before, the present one, and the one after it, which they have before anyone uses it. */
const keptKeys = 3;

/** Milliseconds until the keys have to be rotated. A clock that was turned back does not delay it beyond the interval. */
export function untilRotation({ rotatedAt }: EncryptionKeyState, now: Date): number {
  const due = Date.parse(rotatedAt) + rotationInterval - now.getTime();
  return Math.min(Math.max(due, 0), rotationInterval);
}

/** @param before undefined: the first keys. */
export function nextEncryptionKeys(
  before: EncryptionKeyState | undefined,
  newKey: () => SealedKey,
  now: Date,
): EncryptionKeyState {
  const keys = [...(before?.keys ?? [newKey()]), newKey()].slice(-keptKeys);
  return { keys, rotatedAt: now.toISOString() };
}

/** The newest but one: nodes that have not heard of the newest yet receive what others send. */
export const sendingKey = ({ keys }: EncryptionKeyState): SealedKey | undefined => keys.at(-2) ?? keys.at(-1);
