import type { ManagerSession } from '@gantry/cluster/service';
import type { NetworkUsers as Users } from '@gantry/cluster-networks/service';
import { injectable } from '@gantry/core/driver';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { taskName } from '../records/task-record.js';
import { isFinal } from '../records/task-state.js';
import { meshSandbox } from '../service.js';

/** The services and tasks that use a network. */
@injectable()
export class NetworkUsers implements Users {
  userOf({ store }: ManagerSession, networkId: string): string | undefined {
    for (const { value } of store.list(serviceKind)) {
      const networks = value.Spec.TaskTemplate?.Networks ?? value.Spec.Networks ?? [];
      const isUsed =
        networks.some(({ Target: target }) => target === networkId) ||
        value.VirtualIPs?.some(({ NetworkID: id }) => id === networkId) === true;
      if (isUsed) return `service ${value.Spec.Name}`;
    }
    for (const { value } of store.list(taskKind)) {
      const { Addresses: addresses = [], Attachment: attachment, DesiredState: desired, Status: status } = value;
      // A task that is to be stopped does not hold its network: each node keeps it until the last endpoint has left.
      // The mesh of a node goes with the last published port.
      if (attachment?.ContainerID === meshSandbox.id) continue;
      // The service was removed: its tasks are to be stopped as soon as the orchestrator sees it.
      if (attachment === undefined && store.get(serviceKind, value.ServiceID) === undefined) continue;
      if (isFinal(status.State) || isFinal(desired) || !addresses.some(({ NetworkID: id }) => id === networkId))
        continue;
      return attachment === undefined ? `task ${taskName(value)}` : `container ${attachment.ContainerName}`;
    }
    return undefined;
  }
}
