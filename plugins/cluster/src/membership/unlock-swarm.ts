import { inject, injectable } from '@gantry/core/driver';
import { conflict, kindOf } from '@gantry/core/errors';
import { unlockedKey } from './locked-key.js';
import { MembershipMutex } from './membership-mutex.js';
import { SwarmMembership } from './swarm-membership.js';

/** Opens the swarm of a manager that was started locked. */
@injectable()
export class UnlockSwarm {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(MembershipMutex) private readonly mutex: MembershipMutex,
  ) {}

  /**
   * Resolves when the store is open, or could not be opened in time and is tried further. Rejects `conflict` when nothing
   * is locked, `invalid-argument` for another key.
   */
  unlock(unlockKey: string): Promise<void> {
    return this.mutex.run(async () => {
      const { state } = this.membership;
      if (state.status === 'inactive') this.membership.present();
      if (state.status !== 'locked' || state.member.key.type !== 'locked') throw conflict('swarm is not locked');
      await this.membership.manage(state.member, unlockedKey(unlockKey, state.member.key.sealedKey));
      // It is unlocked all the same, and `GET /swarm` says what it waits for.
      await this.membership.settled().catch((error: unknown) => {
        if (kindOf(error) !== 'unavailable') throw error;
      });
    });
  }
}
