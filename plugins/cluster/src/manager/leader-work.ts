import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { ManagerIdentity } from '../certificates/manager-identity.js';
import { LocalMemberFile } from '../membership/local-member-file.js';
import { ManagerStore } from '../membership/manager-store.js';
import { hasLostAddress } from '../membership/node-addresses.js';
import { eachChange } from '../records/follow-records.js';
import { nodes } from '../records/node-kind.js';
import { type RemoteManager, remoteManagers } from '../records/remote-managers.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { untilDone } from '../sessions/until-done.js';
import { RootRotation } from './root-rotation.js';
import { StoreMembers } from './store-members.js';

/** Milliseconds between two looks at the addresses of the host. */
const addressInterval = 1_000;

/** What the leader does for its own place among the managers. */
@injectable()
export class LeaderWork {
  constructor(
    @inject(ManagerIdentity) private readonly identity: ManagerIdentity,
    @inject(RootRotation) private readonly rotation: RootRotation,
    @inject(StoreMembers) private readonly members: StoreMembers,
    @inject(ManagerStore) private readonly store: ManagerStore,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Resolves when the session has ended. */
  async whileManager(session: OpenSession): Promise<void> {
    await Promise.all([
      this.identity.whileManager(session),
      this.rotation.whileManager(session),
      this.members.whileManager(session),
      this.#followManagers(session),
      this.#handOverWithoutAddress(session),
    ]);
  }

  /**
   * Other nodes do not find a leader whose host has lost its address. As a node of another leader it connects from its new
   * one, and is known there.
   */
  async #handOverWithoutAddress(session: OpenSession): Promise<void> {
    const { signal, store } = session;
    while (!signal.aborted) {
      await delay(addressInterval, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
      const { present } = this.file;
      if (signal.aborted || present === undefined || !hasLostAddress(present.addresses)) continue;
      if (remoteManagers(store).length < 2) continue;
      try {
        await this.members.handOver(session, { toSilent: true });
      } catch (err) {
        if (signal.aborted) return;
        const facts = { event: 'swarm.not-handed-over', address: present.addresses.advertise, err };
        this.log.warn(facts, 'the host has lost the address of this leader, and no other manager can lead; retrying');
      }
    }
  }

  /** A leader that is started again, or is replaced, finds the others where they were last. */
  #followManagers(session: OpenSession): Promise<void> {
    const follow = async (): Promise<void> => {
      for await (const _change of eachChange(session, [nodes])) await this.#keep(remoteManagers(session.store));
    };
    return untilDone(session.signal, follow, (err) => {
      this.log.warn(
        { event: 'swarm.managers-not-kept', err },
        'failed to keep the addresses of the managers; retrying',
      );
    });
  }

  async #keep(managers: readonly RemoteManager[]): Promise<void> {
    this.store.follow(managers);
    const { present } = this.file;
    if (present?.role !== 'manager') return;
    const isKept = JSON.stringify(present.managers ?? []) === JSON.stringify(managers);
    const isAlone = managers.every(({ nodeId }) => nodeId === present.nodeId);
    if (isKept || (isAlone && present.managers === undefined)) return;
    await this.file.update((member) => ({ ...member, managers }));
  }
}
