import type { ClusterStore } from '@gantry/core/contracts';
import { nodes } from './node-kind.js';

/** The managers of a swarm, and those of them that the leader hears of. */
export function countManagers(store: ClusterStore): { readonly all: number; readonly reachable: number } {
  const managers = store.select(nodes, 'manager', 'yes');
  return { all: managers.length, reachable: managers.filter(({ value }) => value.status.state !== 'down').length };
}
