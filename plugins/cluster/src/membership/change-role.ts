import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable, Logger, StopSignal } from '@gantry/core/driver';
import type { NodeRole } from '@gantry/lib-cluster-protocol';
import { type StoreMemberAnswer, storeMemberPath } from '../messages/store-messages.js';
import { ConnectedNode } from './connected-node.js';
import { LocalMemberFile, type ManagerMember, type WorkerMember } from './local-member-file.js';
import { lockedKey, plainKey } from './locked-key.js';
import { ManagerStore } from './manager-store.js';
import { SwarmMembership } from './swarm-membership.js';

/** Makes this engine what the leader says that it is: a manager, with its part of the store, or a worker. */
@injectable()
export class ChangeRole {
  #changing: Promise<void> | undefined;

  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(ConnectedNode) private readonly node: ConnectedNode,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(ManagerStore) private readonly store: ManagerStore,
    @inject(StopSignal) private readonly stopSignal: AbortSignal,
    @inject(Logger) private readonly log: Logger,
  ) {}

  start(): void {
    this.node.follow({
      onRole: (role) => this.#follow(role),
      onManagers: (managers) => this.store.follow(managers),
    });
  }

  /** Called with every heartbeat: what has failed is tried again with the next one. */
  #follow(role: NodeRole): void {
    const { state } = this.membership;
    if (this.#changing !== undefined) return;
    if (role === 'manager' && state.status === 'worker') this.#change(role, this.#promote(state.member));
    if (state.status !== 'pending') return;
    // Demoted and promoted before it heard of either: its member was removed, and it becomes a manager once more.
    const hasLostMember = role === 'manager' && this.node.swarm?.isMember === false;
    if (role === 'worker' || hasLostMember) this.#change('worker', this.#demote(state.member));
  }

  #change(role: NodeRole, changing: Promise<void>): void {
    this.#changing = changing
      .then(() => this.log.info({ event: 'swarm.role-changed', role }, 'this node has another role in its swarm'))
      .catch((err: unknown) => {
        this.log.error(
          { event: 'swarm.role-not-changed', role, err },
          'failed to change the role of this node; retrying',
        );
      })
      .finally(() => {
        this.#changing = undefined;
      });
  }

  async #promote({ nodeId, ...member }: WorkerMember): Promise<void> {
    const { addresses } = this.file.present ?? member;
    const { link } = this.node;
    if (link === undefined) return;
    const { managers } = link;
    const answer = (await link.call(storeMemberPath, { address: addresses.advertise })) as StoreMemberAnswer;
    const key = Buffer.from(answer.key, 'base64');
    const joining: ManagerMember = {
      role: 'manager',
      phase: 'joining',
      nodeId,
      addresses,
      key: answer.unlockKey === undefined ? plainKey(key) : lockedKey(answer.unlockKey, key),
      managers,
    };
    await this.file.write(joining);
    crashPoint('cluster.promote.begun');
    this.store.follow(managers);
    const { members, storeId: id } = answer;
    await this.store.join({ id, name: nodeId, members, signal: AbortSignal.any([this.stopSignal, link.signal]) });
    crashPoint('cluster.promote.store-joined');
    await this.file.update((present) => ({ ...present, phase: 'active' }) as ManagerMember);
    await this.membership.manage({ ...joining, phase: 'active' }, key);
  }

  async #demote({ addresses, managers = [], nodeId }: ManagerMember): Promise<void> {
    await this.membership.workInstead({
      role: 'worker',
      nodeId,
      addresses: this.file.present?.addresses ?? addresses,
      managers: this.node.link?.managers ?? managers,
    });
  }
}
