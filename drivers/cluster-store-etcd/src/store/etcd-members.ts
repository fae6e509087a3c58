import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterMember, ClusterMembers } from '@gantry/core/contracts';
import { conflict, messageOf, notFound, unavailable } from '@gantry/core/errors';
import { peerUrl } from '../process/peer-address.js';
import type { EtcdClient, Member } from '../rpc/etcd-client.js';

/** The members that etcd knows, and changes of them. */
export class EtcdMembers implements ClusterMembers {
  constructor(
    private readonly client: Pick<
      EtcdClient,
      'members' | 'addLearner' | 'updateMember' | 'promoteMember' | 'removeMember' | 'moveLeader'
    >,
    private readonly own: { readonly id: string; readonly name: string },
  ) {}

  async list(options: { readonly signal?: AbortSignal } = {}): Promise<readonly ClusterMember[]> {
    return (await this.client.members(options)).map(toMember);
  }

  async add({ name }: { readonly name: string }): Promise<ClusterMember> {
    const members = await this.client.members();
    if (members.some((member) => nameOf(member) === name)) throw conflict(`there is a member ${name} already`);
    const learner = members.find(({ isLearner }) => isLearner);
    if (learner !== undefined) throw conflict(`member ${nameOf(learner)} is a learner: etcd has one at a time`);
    const self = members.find(({ ID }) => memberIdOf(ID) === this.own.id);
    // Stores that were made with one member once had an address that no other member could reach.
    if (self !== undefined && self.peerURLs[0] !== peerUrl(this.own.name)) {
      await this.client.updateMember(self.ID, peerUrl(this.own.name));
    }
    const added = await whenHealthy(() => this.client.addLearner(peerUrl(name)));
    return { ...toMember(added), name };
  }

  async promote(id: string): Promise<void> {
    const member = await this.#find(id);
    if (!member.isLearner) throw conflict(`member ${id} is a voter`);
    await this.client.promoteMember(member.ID);
  }

  async remove(id: string): Promise<void> {
    const member = await this.#find(id);
    const voters = (await this.client.members()).filter(({ isLearner }) => !isLearner);
    if (!member.isLearner && voters.length === 1) throw conflict(`member ${id} is the last voter`);
    await whenHealthy(() => this.client.removeMember(member.ID));
  }

  async transferLeadership(id: string): Promise<void> {
    const member = await this.#find(id);
    if (member.isLearner) throw unavailable(`member ${id} is a learner, and cannot lead`);
    await this.client.moveLeader(member.ID);
  }

  async #find(id: string): Promise<Member> {
    const found = (await this.client.members()).find(({ ID }) => memberIdOf(ID) === id);
    if (found === undefined) throw notFound(`there is no member ${id}`);
    return found;
  }
}

/** etcd only changes its members when all of them have been connected for 5 s. */
const healthLimit = 10_000;
const healthInterval = 250;

async function whenHealthy<T>(change: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + healthLimit;
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (!/unhealthy cluster/.test(messageOf(error)) || Date.now() > deadline) throw error;
      await delay(healthInterval);
    }
  }
}

/** As etcd's own tools write ids. */
export const memberIdOf = (id: string): string => BigInt(id).toString(16);

const toMember = (member: Member): ClusterMember => ({
  id: memberIdOf(member.ID),
  name: nameOf(member),
  role: member.isLearner ? 'learner' : 'voter',
});

/** etcd knows the name of a member only once that has started; its address has it from the beginning. */
const nameOf = ({ name, peerURLs }: Member): string =>
  name === '' ? (peerURLs[0] ?? '').replace(/^unix:\/\/|:0$/g, '') : name;
