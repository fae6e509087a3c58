import { inject, injectable } from '@gantry/core/driver';
import { unseal } from '../keys/seal.js';
import { LocalMemberFile } from '../membership/local-member-file.js';
import { lockedKey, plainKey, unlockedKey } from '../membership/locked-key.js';
import type { OpenSession } from '../membership/manager-sessions.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { presentCluster } from '../records/present-cluster.js';

/** Keeps this engine's key as the swarm wants it: locked with its unlock key, or plain. */
@injectable()
export class ApplyLock {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
  ) {}

  /** Does nothing when the key is kept that way already. */
  async apply(session: OpenSession): Promise<void> {
    const { state } = this.membership;
    if (state.status !== 'active' || state.session !== session) return;
    const { unlockKey: sealedUnlockKey } = presentCluster(session.store).value;
    const unlockKey = sealedUnlockKey === undefined ? undefined : unseal(session.key, sealedUnlockKey).toString();
    const { key: kept } = state.member;
    if (unlockKey === undefined ? kept.type === 'plain' : kept.type === 'locked' && opens(unlockKey, kept.sealedKey))
      return;
    const member = {
      ...state.member,
      key: unlockKey === undefined ? plainKey(session.key) : lockedKey(unlockKey, session.key),
    };
    await this.file.write(member);
    this.membership.replaceMember(member);
  }
}

function opens(unlockKey: string, sealedKey: string): boolean {
  try {
    return unlockedKey(unlockKey, sealedKey).length > 0;
  } catch {
    return false; // an older unlock key
  }
}
