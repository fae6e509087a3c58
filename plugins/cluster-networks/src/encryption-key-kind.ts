import type { RecordKind } from '@gantry/core/contracts';

/** The keys of encrypted networks, from the oldest to the newest. */
export interface EncryptionKeyState {
  readonly keys: readonly SealedKey[];
  /** RFC 3339. */
  readonly rotatedAt: string;
}

export interface SealedKey {
  readonly id: string;
  readonly sealed: string;
}

/** One record for the whole swarm, from its first encrypted network on. */
export const encryptionKeyKind: RecordKind<EncryptionKeyState> = {
  name: 'network-keys',
  version: 1,
  parse(value) {
    const state = value as EncryptionKeyState;
    if (!Array.isArray(state.keys) || state.keys.length === 0) throw new Error('there are no keys of networks');
    return state;
  },
  uniqueNames: () => ['the keys of networks'],
};
