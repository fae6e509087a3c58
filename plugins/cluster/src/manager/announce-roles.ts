import { changeOf } from '@gantry/core/contracts';
import { followRecords } from '../records/follow-records.js';
import { nodes, presentRole } from '../records/node-kind.js';
import type { ManagerSession } from '../service.js';

/**
 * A node learns its role when it connects: one whose role has changed is to connect again, instead of at its next heartbeat.
 * For as long as the session lasts.
 */
export function announceRoles(session: ManagerSession, disconnect: (nodeId: string) => void): Promise<void> {
  return followRecords(session, [nodes], {
    changed: (change) => {
      const node = changeOf(nodes, change);
      if (node?.before === undefined || node.after === undefined) return;
      if (presentRole(node.before.value) !== presentRole(node.after.value)) disconnect(node.id);
    },
    lost: () => undefined, // each node learns it with its next heartbeat
  });
}
