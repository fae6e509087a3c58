import { inject, injectable } from '@gantry/core/driver';
import { ManagerIdentity } from '../certificates/manager-identity.js';
import { LocalMemberFile } from '../membership/local-member-file.js';
import { ManagerStore } from '../membership/manager-store.js';
import { nodes } from '../records/node-kind.js';
import { type RemoteManager, remoteManagers } from '../records/remote-managers.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { RootRotation } from './root-rotation.js';
import { StoreMembers } from './store-members.js';

/** What the leader does for its own place among the managers. */
@injectable()
export class LeaderWork {
  constructor(
    @inject(ManagerIdentity) private readonly identity: ManagerIdentity,
    @inject(RootRotation) private readonly rotation: RootRotation,
    @inject(StoreMembers) private readonly members: StoreMembers,
    @inject(ManagerStore) private readonly store: ManagerStore,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
  ) {}

  /** Resolves when the session has ended. */
  async whileManager(session: OpenSession): Promise<void> {
    await Promise.all([
      this.identity.whileManager(session),
      this.rotation.whileManager(session),
      this.members.whileManager(session),
      this.#followManagers(session),
    ]);
  }

  /** A leader that is started again, or is replaced, finds the others where they were last. */
  async #followManagers({ signal, store }: OpenSession): Promise<void> {
    const changes = store.watch({ kinds: [nodes], signal });
    await this.#keep(remoteManagers(store));
    for await (const _ of changes) await this.#keep(remoteManagers(store));
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
