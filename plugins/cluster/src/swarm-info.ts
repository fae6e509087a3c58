import { inject, injectable } from '@gantry/core/driver';
import { EngineFacts } from './engine/engine-facts.js';
import { ConnectedNode } from './membership/connected-node.js';
import { LocalMemberFile } from './membership/local-member-file.js';
import { ManagerStore } from './membership/manager-store.js';
import { hostOf } from './membership/node-addresses.js';
import { type MembershipState, SwarmMembership } from './membership/swarm-membership.js';
import { type GenericResource, GenericResources } from './records/generic-resources.js';
import { nodes } from './records/node-kind.js';
import { presentCluster } from './records/present-cluster.js';
import { toSwarm } from './records/to-swarm.js';
import type { ClientAddresses, ClusterInfo } from './service.js';

/** What `info` and `_ping` say of the swarm. */
@injectable()
export class SwarmInfo implements ClusterInfo {
  /** The state in which there was found to be no store: every ping asks, and must not look at the disk. */
  #stateWithoutStore: MembershipState | undefined;

  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(ManagerStore) private readonly store: ManagerStore,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(ConnectedNode) private readonly node: ConnectedNode,
    @inject(EngineFacts) private readonly facts: EngineFacts,
    @inject(GenericResources) private readonly generic: GenericResources,
  ) {}

  get genericResources(): readonly GenericResource[] {
    return this.generic.offered;
  }

  get headline(): string {
    const { state } = this.membership;
    if (this.#hasOrphanedStore) return 'error';
    if (state.status === 'active') return 'active/manager';
    if (state.status === 'worker') return 'active/worker';
    if (state.status === 'pending' && this.membership.isOneOfSeveral) return 'active/manager';
    return state.status === 'pending' && state.error !== undefined ? 'error' : state.status;
  }

  describe(): Readonly<Record<string, unknown>> {
    const { state } = this.membership;
    const base = {
      NodeID: '',
      NodeAddr: '',
      LocalNodeState: state.status,
      ControlAvailable: false,
      Error: '',
      RemoteManagers: null,
    };
    if (state.status === 'inactive') {
      if (!this.#hasOrphanedStore) return base;
      return { ...base, LocalNodeState: 'error', Error: 'the membership file of the swarm is lost' };
    }
    if (state.status === 'locked') return base;
    const { nodeId } = state.member;
    const addresses = this.file.present?.addresses ?? state.member.addresses;
    const { clientAddresses } = this.facts;
    const own = {
      NodeID: nodeId,
      NodeAddr: hostOf(addresses.advertise),
      ...(clientAddresses !== undefined && { ClientAddresses: clientAddresses.kept ? 'kept' : 'masqueraded' }),
    };
    if (state.status === 'worker') {
      return { ...base, ...own, LocalNodeState: 'active', ...this.#asWorker() };
    }
    if (state.status === 'pending' && this.membership.isOneOfSeveral) {
      return { ...base, ...own, LocalNodeState: 'active', ControlAvailable: true, ...this.#asFollower() };
    }
    if (state.status === 'pending') {
      return state.error === undefined
        ? { ...base, ...own }
        : { ...base, ...own, LocalNodeState: 'error', Error: state.error };
    }
    const all = state.session.store.list(nodes);
    const managers = all.flatMap(({ id, value }) => (value.manager === undefined ? [] : [{ id, ...value.manager }]));
    const { JoinTokens, ...cluster } = toSwarm(presentCluster(state.session.store), state.session.key);
    return {
      ...base,
      ...own,
      ControlAvailable: true,
      RemoteManagers: managers.map(({ id, address }) => ({ NodeID: id, Addr: address })),
      Nodes: all.length,
      Managers: managers.length,
      Cluster: cluster,
    };
  }

  /** There is a store of a swarm that this engine has lost its membership of. */
  get #hasOrphanedStore(): boolean {
    const { state } = this.membership;
    // No store comes about while the engine is in no swarm; one that is there may be removed.
    if (state.status !== 'inactive' || state === this.#stateWithoutStore) return false;
    if (this.store.driver.exists()) return true;
    this.#stateWithoutStore = state;
    return false;
  }

  #asWorker() {
    const { error = '', managers = [] } = this.node.link ?? {};
    return { Error: error, RemoteManagers: managers.map(({ address, nodeId }) => ({ NodeID: nodeId, Addr: address })) };
  }

  /** A manager that does not lead shows what the leader said last. */
  #asFollower() {
    const { swarm } = this.node;
    return {
      ...this.#asWorker(),
      ...(swarm !== undefined && { Nodes: swarm.nodes, Managers: swarm.managers, Cluster: swarm.cluster }),
    };
  }

  get warnings(): readonly string[] {
    const { clientAddresses } = this.facts;
    if (this.membership.state.status === 'inactive' || clientAddresses === undefined || clientAddresses.kept) return [];
    return [
      `WARNING: tasks on this node see an address of the node that was asked instead of the client's at published ports: ${clientAddresses.reason}`,
    ];
  }

  setClientAddresses(addresses: ClientAddresses): void {
    this.facts.setClientAddresses(addresses);
  }

  setEngineLabels(labels: readonly string[]): void {
    this.facts.setLabels(labels);
  }

  onChange(listener: () => void): () => void {
    const removals = [this.membership.onChange(listener), this.node.onChange(listener)];
    return () => {
      for (const remove of removals) remove();
    };
  }
}
