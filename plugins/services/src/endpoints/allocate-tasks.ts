import type { ServiceDraft } from '../orchestration/service-draft.js';
import { isUnplaced } from '../records/record-kinds.js';
import type { TaskAddress, TaskRecord } from '../records/task-record.js';
import type { AddressAllocation } from './address-book.js';
import { publishesIngress } from './ingress.js';

/**
 * Gives the tasks of a draft that wait for a node their addresses on networks of the swarm.
 * @returns ids of those that cannot have them: their status says why, and they are not to be placed.
 */
export function allocateTasks(draft: ServiceDraft, allocation: AddressAllocation): ReadonlySet<string> {
  const blocked = new Set<string>();
  for (const task of draft.tasks) {
    if (!isUnplaced(task) || task.Addresses !== undefined) continue;
    const addresses = addressesFor(task, allocation);
    if (typeof addresses !== 'string') {
      if (addresses.length > 0) draft.change(task, { Addresses: addresses });
      continue;
    }
    blocked.add(task.ID);
    const { Status: status } = task;
    if (status.Err === addresses) continue;
    draft.change(task, {
      Status: { Timestamp: draft.now.text, State: 'new', Message: 'waiting for an address', Err: addresses },
    });
  }
  return blocked;
}

/** Or the reason why there are none. */
function addressesFor(
  { Ports: ports, Spec: spec }: TaskRecord,
  allocation: AddressAllocation,
): readonly TaskAddress[] | string {
  const addresses: TaskAddress[] = [];
  const ingressId = publishesIngress(ports) ? allocation.ingressId() : undefined;
  const targets = (spec.Networks ?? []).map(({ Target: target = '' }) => target);
  for (const networkId of new Set([...targets, ...(ingressId === undefined ? [] : [ingressId])])) {
    const network = allocation.network(networkId);
    if (network === undefined) continue;
    const address = allocation.allocate(networkId);
    if (address === undefined) return `network ${network.name} has no free address`;
    addresses.push({ NetworkID: networkId, Addr: address });
  }
  return addresses;
}
