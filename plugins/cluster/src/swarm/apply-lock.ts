import { inject, injectable, Logger, Mutex } from '@gantry/core/driver';
import { unseal } from '../keys/seal.js';
import { ConnectedNode } from '../membership/connected-node.js';
import { LocalMemberFile, type ManagerMember } from '../membership/local-member-file.js';
import { lockedKey, plainKey, unlockedKey } from '../membership/locked-key.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { presentCluster } from '../records/present-cluster.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { untilDone } from '../sessions/until-done.js';

/** Keeps this engine's keys as the swarm wants them: locked with its unlock key, or plain. */
@injectable()
export class ApplyLock {
  readonly #mutex = new Mutex();

  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(ConnectedNode) private readonly node: ConnectedNode,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Managers that do not lead hear of the unlock key with every heartbeat. */
  start(): void {
    this.node.onSwarm(({ unlockKey }) => {
      this.#follow(unlockKey).catch((err: unknown) => this.#report(err));
    });
  }

  /** Of the leader, when its session begins. Never rejects: a failure is logged, and repeated. */
  whileManager(session: OpenSession): Promise<void> {
    return untilDone(
      session.signal,
      () => this.apply(session),
      (err) => this.#report(err),
    );
  }

  /** Of the leader. Does nothing when the keys are kept that way already. */
  apply(session: OpenSession): Promise<void> {
    return this.#mutex.run(async () => {
      const { state } = this.membership;
      if (state.status !== 'active' || state.session !== session) return;
      const { unlockKey } = presentCluster(session.store).value;
      const opened = unlockKey === undefined ? undefined : unseal(session.key, unlockKey).toString();
      await this.#keep(state.member, session.key, opened);
    });
  }

  #report(err: unknown): void {
    this.log.error(
      { event: 'swarm.lock-not-applied', err },
      'failed to lock or unlock the keys of this manager; retrying',
    );
  }

  #follow(unlockKey: string | undefined): Promise<void> {
    return this.#mutex.run(async () => {
      const { state } = this.membership;
      if (state.status === 'pending') await this.#keep(state.member, state.key, unlockKey);
    });
  }

  async #keep(member: ManagerMember, swarmKey: Buffer, unlockKey: string | undefined): Promise<void> {
    const { key: kept } = member;
    const isKept =
      unlockKey === undefined ? kept.type === 'plain' : kept.type === 'locked' && opens(unlockKey, kept.sealedKey);
    if (isKept) return;
    const key = unlockKey === undefined ? plainKey(swarmKey) : lockedKey(unlockKey, swarmKey);
    await this.file.update((present) => ({ ...present, key }) as ManagerMember);
    this.membership.replaceMember({ ...member, key });
    await this.node.protectIdentity({ key: swarmKey, isLocked: unlockKey !== undefined });
  }
}

function opens(unlockKey: string, sealedKey: string): boolean {
  try {
    return unlockedKey(unlockKey, sealedKey).length > 0;
  } catch {
    return false; // an older unlock key
  }
}
