import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { conflict, notAcceptable } from '@gantry/core/errors';
import { StoreMembers } from '../manager/store-members.js';
import { ConnectedNode } from '../membership/connected-node.js';
import { LocalMemberFile, type ManagerMember } from '../membership/local-member-file.js';
import { MembershipMutex } from '../membership/membership-mutex.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { countManagers } from '../records/count-managers.js';

/** Takes this engine out of its swarm. */
@injectable()
export class LeaveSwarm {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(MembershipMutex) private readonly mutex: MembershipMutex,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(ConnectedNode) private readonly node: ConnectedNode,
    @inject(StoreMembers) private readonly members: StoreMembers,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** A worker leaves as it is; a manager only with `force`, and its part of the store is deleted. Rejects `not-acceptable` outside of a swarm. */
  leave({ force }: { readonly force: boolean }): Promise<void> {
    return this.mutex.run(async () => {
      const { state } = this.membership;
      if (state.status === 'inactive') throw notAcceptable('This node is not part of a swarm');
      else if (state.status === 'worker') await this.membership.forget();
      else {
        if (!force) throw conflict(this.#refusal());
        await this.#handOver();
        await this.file.update((member) => ({ ...member, phase: 'leaving' }) as ManagerMember);
        crashPoint('cluster.leave.begun');
        await this.membership.forget();
      }
    });
  }

  /** Another manager leads from now on, and removes this one when it hears of the leave. */
  async #handOver(): Promise<void> {
    const { state } = this.membership;
    if (state.status !== 'active' || !this.membership.isOneOfSeveral) return;
    try {
      await this.members.handOver(state.session);
      await this.membership.settled();
    } catch (err) {
      this.log.warn(
        { event: 'swarm.leadership-not-transferred', err },
        'no other manager took the lead before the leave',
      );
    }
  }

  /** In the words that clients know. */
  #refusal(): string {
    const beginning = 'You are attempting to leave the swarm on a node that is participating as a manager. ';
    const end =
      'The only way to restore a swarm that has lost consensus is to reinitialize it with `--force-new-cluster`. Use ' +
      '`--force` to suppress this message.';
    const managers = this.#managers();
    if (managers === undefined) return `${beginning}Doing so may lose the consensus of your cluster. ${end}`;
    const { all, reachable } = managers;
    if (reachable - 2 >= all - reachable) return beginning + end;
    if (reachable === 1 && all <= 2) {
      return `${beginning}Removing the last manager erases all current state of the swarm. Use \`--force\` to ignore this message. `;
    }
    const consequence = `Removing this node leaves ${reachable - 1} managers out of ${all}.`;
    return `${beginning}${consequence} Without a Raft quorum your swarm will be inaccessible. ${end}`;
  }

  /** Undefined while there is no leader that would know. */
  #managers(): { readonly all: number; readonly reachable: number } | undefined {
    const { state } = this.membership;
    if (state.status === 'active') return countManagers(state.session.store);
    const { link, swarm } = this.node;
    return link?.isConnected && swarm !== undefined
      ? { all: swarm.managers, reachable: swarm.reachableManagers }
      : undefined;
  }
}
