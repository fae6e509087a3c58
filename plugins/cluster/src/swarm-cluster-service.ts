import type { ClusterRecord } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { seal, unseal } from './keys/seal.js';
import { SwarmMembership } from './membership/swarm-membership.js';
import type { SealedObject } from './records/sealed-kinds.js';
import { ObjectUsers } from './sealed/object-users.js';
import type { ClusterService, ManagerSession, SealedObjectUsers } from './service.js';
import { ManagerSessions } from './sessions/manager-sessions.js';

/** What other areas use of the swarm. */
@injectable()
export class SwarmClusterService implements ClusterService {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(ManagerSessions) private readonly sessions: ManagerSessions,
    @inject(ObjectUsers) private readonly users: ObjectUsers,
  ) {}

  manager(): Promise<ManagerSession> {
    return this.membership.manager();
  }

  whileManager(run: (session: ManagerSession) => Promise<void> | void): () => void {
    return this.sessions.whileManager(run);
  }

  contentOf({ value }: ClusterRecord<SealedObject>): Buffer {
    return this.unseal(value.sealed);
  }

  seal(content: Buffer): string {
    return seal(this.membership.present().key, content);
  }

  unseal(sealed: string): Buffer {
    return unseal(this.membership.present().key, sealed);
  }

  addInitialRecords(source: Parameters<ClusterService['addInitialRecords']>[0]): () => void {
    return this.membership.initialRecords.add(source);
  }

  keepingReferences<T>(change: () => Promise<T>): Promise<T> {
    return this.users.exclusively(change);
  }

  addUsers(users: SealedObjectUsers): () => void {
    return this.users.add(users);
  }
}
