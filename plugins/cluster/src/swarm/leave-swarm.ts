import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { LocalMemberFile } from '../membership/local-member-file.js';
import { MembershipMutex } from '../membership/membership-mutex.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { nodes } from '../records/node-kind.js';

/** Takes this engine out of its swarm. */
@injectable()
export class LeaveSwarm {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(MembershipMutex) private readonly mutex: MembershipMutex,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
  ) {}

  /** A manager leaves only with `force`, and its part of the store is deleted. Rejects `not-acceptable` outside of a swarm. */
  leave({ force }: { readonly force: boolean }): Promise<void> {
    return this.mutex.run(async () => {
      const { state } = this.membership;
      if (state.status === 'inactive') this.membership.present();
      else {
        if (!force) throw conflict(this.#refusal());
        await this.file.write({ ...state.member, phase: 'leaving' });
        await this.membership.forget();
      }
    });
  }

  #refusal(): string {
    const { state } = this.membership;
    const managers =
      state.status === 'active'
        ? state.session.store.list(nodes).filter(({ value }) => value.manager !== undefined).length
        : 1;
    const consequence =
      managers <= 1
        ? 'Removing the last manager erases all current state of the swarm. Use `--force` to ignore this message.'
        : `Removing this node leaves ${managers - 1} managers out of ${managers}. Demote it first, or use \`--force\`.`;
    return `You are attempting to leave the swarm on a node that is participating as a manager. ${consequence}`;
  }
}
