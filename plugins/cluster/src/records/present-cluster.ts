import type { ClusterRecord, ClusterStore } from '@gantry/core/contracts';
import { internal } from '@gantry/core/errors';
import { type ClusterState, clusters } from './cluster-kind.js';

/** The record of the swarm itself, which a store has from its creation on. */
export function presentCluster(store: ClusterStore): ClusterRecord<ClusterState> {
  const [cluster] = store.list(clusters);
  if (cluster === undefined) throw internal('the store has no record of the swarm');
  return cluster;
}
