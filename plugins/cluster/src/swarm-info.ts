import { inject, injectable } from '@gantry/core/driver';
import { hostOf } from './membership/node-addresses.js';
import { SwarmMembership } from './membership/swarm-membership.js';
import { EngineLabels } from './nodes/engine-labels.js';
import { nodes } from './records/node-kind.js';
import { presentCluster } from './records/present-cluster.js';
import type { ClusterInfo } from './service.js';
import { toSwarm } from './swarm/to-swarm.js';

/** What `info` and `_ping` say of the swarm. */
@injectable()
export class SwarmInfo implements ClusterInfo {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(EngineLabels) private readonly labels: EngineLabels,
  ) {}

  get headline(): string {
    const { state } = this.membership;
    if (state.status === 'active') return 'active/manager';
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
    if (state.status === 'inactive') return base;
    const { nodeId, addresses } = state.member;
    if (state.status === 'locked') return base;
    const own = { NodeID: nodeId, NodeAddr: hostOf(addresses.advertise) };
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

  setEngineLabels(labels: readonly string[]): void {
    this.labels.set(labels);
  }
}
