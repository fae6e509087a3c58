import { type DriverLifecycle, inject, injectable, type MeasuredValue, type Measurement } from '@gantry/core/driver';
import { NodeHeartbeats } from './manager/node-heartbeats.js';
import { SwarmMembership } from './membership/swarm-membership.js';
import { countManagers } from './records/count-managers.js';
import { nodes, presentRole } from './records/node-kind.js';

/** What this engine is in a swarm, and on its leader the nodes. */
@injectable()
export class MeasureSwarm implements DriverLifecycle {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(NodeHeartbeats) private readonly heartbeats: NodeHeartbeats,
  ) {}

  measure(): readonly Measurement[] {
    const { state } = this.membership;
    const session = state.status === 'active' ? state.session : undefined;
    const isManager = session !== undefined || this.membership.isOneOfSeveral;
    const own = [
      gauge('swarm_member', 'Whether this engine is a node of a swarm', [
        { value: state.status === 'inactive' ? 0 : 1 },
      ]),
      gauge('swarm_manager', 'Whether this engine is a manager of a swarm', [{ value: isManager ? 1 : 0 }]),
      gauge('swarm_leader', 'Whether this engine leads its swarm', [{ value: session === undefined ? 0 : 1 }]),
    ];
    if (session === undefined) return own;
    const { all, reachable } = countManagers(session.store);
    return [
      ...own,
      gauge(
        'swarm_nodes',
        'Nodes of the swarm, by role, state and availability',
        countNodes(session.store.list(nodes)),
      ),
      gauge('swarm_managers', 'Managers of the swarm', [{ value: all }]),
      gauge('swarm_managers_reachable', 'Managers of the swarm that the leader hears of', [{ value: reachable }]),
      {
        name: 'swarm_heartbeats_total',
        type: 'counter',
        help: 'Heartbeats of nodes that this engine has answered as their leader',
        values: [{ value: this.heartbeats.answered }],
      },
    ];
  }
}

function countNodes(list: readonly { readonly value: Parameters<typeof presentRole>[0] }[]): readonly MeasuredValue[] {
  const counts = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>();
  for (const { value: node } of list) {
    const labels = { role: presentRole(node), state: node.status.state, availability: node.spec.Availability };
    const key = Object.values(labels).join(' ');
    const counted = counts.get(key) ?? { labels, value: 0 };
    counted.value += 1;
    counts.set(key, counted);
  }
  return [...counts.values()];
}

const gauge = (name: string, help: string, values: readonly MeasuredValue[]): Measurement => ({
  name,
  type: 'gauge',
  help,
  values,
});
