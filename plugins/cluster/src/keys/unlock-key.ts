import { randomBytes } from 'node:crypto';

const prefix = 'SWMKEY-1-';

/** The key that an operator unlocks a manager with: a prefix, and 32 bytes in base64 without padding. */
export const newUnlockKey = (): string => prefix + randomBytes(32).toString('base64').replace(/=+$/, '');

/** The bytes of an unlock key; undefined when it is not one. */
export function parseUnlockKey(text: string): Buffer | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const bytes = Buffer.from(text.slice(prefix.length), 'base64');
  return bytes.length === 32 ? bytes : undefined;
}
