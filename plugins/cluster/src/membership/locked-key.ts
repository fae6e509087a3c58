import { internal, invalidArgument } from '@gantry/core/errors';
import { seal, unseal } from '../keys/seal.js';
import { parseUnlockKey } from '../keys/unlock-key.js';
import type { LocalKey } from './local-member-file.js';

/** The key of a swarm's secrets as it is kept while managers lock themselves. */
export function lockedKey(unlockKey: string, key: Buffer): LocalKey {
  const bytes = parseUnlockKey(unlockKey);
  if (bytes === undefined) throw internal('a new unlock key cannot be parsed');
  return { type: 'locked', sealedKey: seal(bytes, key) };
}

export const plainKey = (key: Buffer): LocalKey => ({ type: 'plain', key: key.toString('base64') });

/** @throws EngineError `invalid-argument` when it is not the unlock key. */
export function unlockedKey(unlockKey: string, sealedKey: string): Buffer {
  const bytes = parseUnlockKey(unlockKey);
  if (bytes === undefined) throw invalidArgument('invalid key: it is not an unlock key such as SWMKEY-1-…');
  try {
    return unseal(bytes, sealedKey);
  } catch (cause) {
    throw invalidArgument('invalid key', { cause });
  }
}
