import type { ServiceRecord } from '../records/service-record.js';
import { isLive } from '../records/task-record.js';
import { constraintsOf, meetsConstraints } from '../scheduling/meets-constraints.js';
import { acceptsTasks, hasToBeLeft, type SchedulableNode } from '../scheduling/schedulable-node.js';
import { occupiedSlots } from './occupied-slots.js';
import type { ServiceDraft } from './service-draft.js';

/** Gives a global service a task on every node that its constraints allow, and stops those of other nodes. */
export function coverNodes(draft: ServiceDraft, service: ServiceRecord): void {
  const constraints = constraintsOf(service.Spec.TaskTemplate);
  const isAllowed = (node: SchedulableNode): boolean => meetsConstraints(node, constraints);
  const { nodes } = draft.surroundings;
  const covered = new Set([...occupiedSlots(draft).values()].map(({ NodeID: node }) => node));
  for (const node of nodes.values()) {
    if (!covered.has(node.ID) && acceptsTasks(node) && isAllowed(node))
      draft.create(service, { NodeID: node.ID, DesiredState: 'ready' });
  }
  for (const task of draft.tasks) {
    const node = nodes.get(task.NodeID ?? '');
    if (node !== undefined && !hasToBeLeft(node) && !isAllowed(node) && isLive(task)) draft.stop(task);
  }
}
