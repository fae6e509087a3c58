import type { ClusterMember, ClusterMembers } from '@gantry/core/contracts';
import { conflict, notFound, notImplemented } from '@gantry/core/errors';
import type { EtcdClient } from '../rpc/etcd-client.js';

/** The members that etcd knows. It has one: its peers' address is a local socket. */
export class EtcdMembers implements ClusterMembers {
  constructor(private readonly client: EtcdClient) {}

  async list(options: { readonly signal?: AbortSignal } = {}): Promise<readonly ClusterMember[]> {
    const members = await this.client.members(options);
    return members.map(({ ID, isLearner, name, peerURLs }) => ({
      id: memberIdOf(ID),
      name,
      address: peerURLs[0] ?? '',
      role: isLearner ? 'learner' : 'voter',
    }));
  }

  async add(): Promise<ClusterMember> {
    throw notImplemented('stores of more than one member are not supported');
  }

  async promote(id: string): Promise<void> {
    const { role } = await this.#find(id);
    throw conflict(`member ${id} is a ${role}`);
  }

  async remove(id: string): Promise<void> {
    await this.#find(id);
    throw conflict(`member ${id} is the last voter`);
  }

  async #find(id: string): Promise<ClusterMember> {
    const found = (await this.list()).find((member) => member.id === id);
    if (found === undefined) throw notFound(`there is no member ${id}`);
    return found;
  }
}

/** As etcd's own tools write ids. */
export const memberIdOf = (id: string): string => BigInt(id).toString(16);
