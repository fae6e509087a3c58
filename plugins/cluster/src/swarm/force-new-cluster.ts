import { type ClusterStore, updateRecord } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { LocalMemberFile, type ManagerMember } from '../membership/local-member-file.js';
import { ManagerStore } from '../membership/manager-store.js';
import { resolveAddresses } from '../membership/node-addresses.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { nodes } from '../records/node-kind.js';
import type { InitRequest } from './create-swarm.js';

/** Makes this manager the only one of its swarm. */
@injectable()
export class ForceNewCluster {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(ManagerStore) private readonly store: ManagerStore,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
  ) {}

  /** The other managers are lost: this one goes on alone, with every record it has. */
  async force(request: InitRequest, member: ManagerMember, key: Buffer): Promise<string> {
    const addresses =
      (request.AdvertiseAddr ?? '') === '' && (request.ListenAddr ?? '') === ''
        ? (this.file.present?.addresses ?? member.addresses)
        : resolveAddresses(request);
    await this.membership.close();
    try {
      const store = await this.store.recover();
      const active: ManagerMember = { ...member, addresses };
      await this.#removeOtherManagers(store, member.nodeId);
      await this.file.write({ ...active, managers: [] });
      await this.membership.manage(active, key, store);
    } catch (error) {
      await this.membership.manage(member, key); // as it was: in the background, again and again
      throw error;
    }
    return member.nodeId;
  }

  /** They have no part of the store any more. Those that come back are workers. */
  async #removeOtherManagers(store: ClusterStore, nodeId: string): Promise<void> {
    for (const record of store.list(nodes)) {
      const { manager: _, ...node } = record.value;
      if (record.id === nodeId || node.spec.Role !== 'manager') continue;
      await store.transact([updateRecord(nodes, record, { ...node, spec: { ...node.spec, Role: 'worker' } })]);
    }
  }
}
