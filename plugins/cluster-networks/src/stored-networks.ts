import { ClusterService, clusters, newId } from '@gantry/cluster/service';
import {
  type ClusterRecord,
  type ClusterStore,
  createRecord,
  deleteRecord,
  TransactionConflict,
  type TunnelKey,
} from '@gantry/core/contracts';
import { inject, injectable, Mutex } from '@gantry/core/driver';
import { conflict, EngineError, internal, invalidArgument, notFound, unavailable } from '@gantry/core/errors';
import type { SwarmNetwork, SwarmNetworkRequest, SwarmNetworks } from '@gantry/networks/service';
import { allocateNetwork } from './allocate-network.js';
import { EncryptionKeys } from './encryption-keys.js';
import { NetworkAllocations } from './network-allocations.js';
import { type ClusterNetwork, networkKind } from './network-kind.js';
import type { ClusterNetworks, NetworkUsers } from './service.js';

const noManager =
  'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and' +
  ' try again.';

/** The networks of the swarm, in its store. */
@injectable()
export class StoredNetworks implements Omit<SwarmNetworks, 'isActive'>, ClusterNetworks {
  readonly #users = new Set<NetworkUsers>();
  readonly #mutex = new Mutex();
  readonly #networks = new WeakMap<ClusterRecord<ClusterNetwork>, SwarmNetwork>();
  #lastVxlanId: number | undefined;
  #session: Awaited<ReturnType<ClusterService['manager']>> | undefined;

  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(EncryptionKeys) private readonly keys: EncryptionKeys,
    @inject(NetworkAllocations) private readonly allocations: NetworkAllocations,
  ) {}

  /** Follows the sessions of this engine as a manager. @returns ends it. */
  follow(): () => void {
    return this.cluster.whileManager((session) => {
      this.#session = session;
    });
  }

  addUsers(users: NetworkUsers): () => void {
    this.#users.add(users);
    return () => this.#users.delete(users);
  }

  encryptionKeys(store: ClusterStore): readonly TunnelKey[] {
    return this.keys.of(store);
  }

  list(): readonly SwarmNetwork[] {
    const session = this.#session;
    if (session === undefined || session.signal.aborted) return [];
    return session.store.list(networkKind).map((record) => this.#toNetwork(record));
  }

  create(request: SwarmNetworkRequest): Promise<string> {
    return this.#mutex.run(() => this.#create(request));
  }

  remove(id: string): Promise<void> {
    return this.cluster.keepingReferences(() => this.#remove(id));
  }

  async #create(request: SwarmNetworkRequest): Promise<string> {
    const { store } = await this.#manager();
    const { peers = false } = (await this.allocations.lookup(request.driver)).capabilities;
    for (let attempt = 1; ; attempt++) {
      const others = store.list(networkKind);
      if (others.some(({ value }) => value.name === request.name)) {
        throw conflict(`network with name ${request.name} already exists`);
      }
      const ingress = others.find(({ value }) => value.ingress);
      if (request.ingress && ingress !== undefined) {
        throw conflict(`rpc error: code = AlreadyExists desc = ingress network (${ingress.id}) is already present`);
      }
      const [cluster] = store.list(clusters);
      if (cluster === undefined) throw internal('the swarm has no record of its own');
      const allocated = allocateNetwork(
        request,
        others.map(({ value }) => value),
        cluster.value,
        this.#lastVxlanId,
      );
      const network = peers ? allocated : { ...allocated, driverOptions: allocated.options };
      const id = newId();
      try {
        await store.transact([createRecord(networkKind, id, network)]);
        if (!network.ingress) this.#lastVxlanId = network.vxlanId;
        await this.#allocate(store, id);
        return id;
      } catch (error) {
        // Another manager has taken the name, a subnet or the number.
        if (attempt === 3 || !TransactionConflict.is(error) || error.reason !== 'name') throw error;
      }
    }
  }

  /** After it was stored: what a crash leaves unfinished, the next leader completes. */
  async #allocate(store: ClusterStore, id: string): Promise<void> {
    try {
      await this.allocations.allocate(store, id);
    } catch (error) {
      const record = store.get(networkKind, id);
      if (record !== undefined) await store.transact([deleteRecord(networkKind, record)]);
      throw error;
    }
  }

  async #remove(id: string): Promise<void> {
    const session = await this.#manager();
    const record = session.store.get(networkKind, id);
    if (record === undefined) throw notFound(`network ${id} not found`);
    for (const users of this.#users) {
      const user = users.userOf(session, id);
      if (user === undefined) continue;
      throw invalidArgument(
        `rpc error: code = FailedPrecondition desc = network ${record.value.name} is in use by ${user}`,
      );
    }
    const { current } = session.store.leadership;
    const options = current.role === 'leader' ? { epoch: current.epoch } : {};
    await this.allocations.free(session.store, record, async () => {
      await session.store.transact([deleteRecord(networkKind, record)], options);
    });
  }

  /** Rejects with the words that clients know for networks. */
  async #manager(): ReturnType<ClusterService['manager']> {
    try {
      return await this.cluster.manager();
    } catch (cause) {
      throw EngineError.is(cause) && cause.kind === 'not-acceptable' ? unavailable(noManager, { cause }) : cause;
    }
  }

  #toNetwork(record: ClusterRecord<ClusterNetwork>): SwarmNetwork {
    let network = this.#networks.get(record);
    if (network === undefined) {
      network = { id: record.id, createdAt: record.createdAt, ...record.value };
      this.#networks.set(record, network);
    }
    return network;
  }
}
