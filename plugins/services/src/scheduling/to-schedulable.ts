import type { nodes } from '@gantry/cluster/service';
import type { ClusterRecord } from '@gantry/core/contracts';
import type { SchedulableNode } from './schedulable-node.js';

type NodeRecord = ClusterRecord<ReturnType<(typeof nodes)['parse']>>;

export const toSchedulable = ({ id, value: { description, spec, status } }: NodeRecord): SchedulableNode => ({
  ID: id,
  Spec: spec,
  Description: description,
  Status: { State: status.state, Addr: status.address },
});
