import { updateRecord } from '@gantry/core/contracts';
import { inject, injectable, Mutex } from '@gantry/core/driver';
import { forbidden, notFound } from '@gantry/core/errors';
import type { NodeRequest } from '@gantry/lib-cluster-protocol';
import { AnsweredPaths } from '../connections/answered-paths.js';
import { unseal } from '../keys/seal.js';
import { ManagerStore } from '../membership/manager-store.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import {
  parseStoreMemberMessage,
  type StoreMemberAnswer,
  storeMemberPath,
  storeTunnelPath,
} from '../messages/store-messages.js';
import { nodes } from '../records/node-kind.js';
import { presentCluster } from '../records/present-cluster.js';
import { remoteManagers } from '../records/remote-managers.js';
import { ManagerAddresses } from './manager-addresses.js';
import { StoreMembers } from './store-members.js';

/** Gives new managers their part of the store, and takes the connections between the parts. */
@injectable()
export class StoreRequests {
  readonly #mutex = new Mutex();

  constructor(
    @inject(AnsweredPaths) private readonly paths: AnsweredPaths,
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(ManagerStore) private readonly store: ManagerStore,
    @inject(StoreMembers) private readonly members: StoreMembers,
    @inject(ManagerAddresses) private readonly addresses: ManagerAddresses,
  ) {}

  start(): void {
    this.addresses.start();
    this.paths.add(storeMemberPath, {
      type: 'call',
      access: 'managers',
      answer: (request) => this.#mutex.run(() => this.#addMember(request)),
    });
    this.paths.add(storeTunnelPath, {
      type: 'tunnel',
      access: 'managers',
      answer: (request, connection) => {
        this.addresses.learn(request);
        if (this.store.driver.accept === undefined) connection.destroy();
        else this.store.driver.accept(connection);
      },
    });
  }

  async #addMember({ body, peer }: NodeRequest): Promise<StoreMemberAnswer> {
    const session = this.membership.present();
    const { key, store } = session;
    const { address } = parseStoreMemberMessage(body);
    const nodeId = peer?.nodeId ?? '';
    const node = store.get(nodes, nodeId);
    if (node === undefined) throw notFound(`node ${nodeId} is not part of the swarm`);
    if (node.value.spec.Role !== 'manager') throw forbidden(`node ${nodeId} is not a manager`);
    const manager = { memberId: node.value.manager?.memberId ?? '', address };
    await store.transact([updateRecord(nodes, node, { ...node.value, manager })]);
    // Reached before it is added: from then on etcd sends to it.
    this.store.follow(remoteManagers(store));
    const memberId = await this.members.add(session, nodeId);
    const present = store.get(nodes, nodeId);
    if (present !== undefined) {
      await store.transact([updateRecord(nodes, present, { ...present.value, manager: { memberId, address } })]);
    }
    const { unlockKey } = presentCluster(store).value;
    return {
      key: key.toString('base64'),
      unlockKey: unlockKey === undefined ? undefined : unseal(key, unlockKey).toString(),
      storeId: store.id,
      members: (await store.members.list()).map(({ name }) => name),
    };
  }
}
