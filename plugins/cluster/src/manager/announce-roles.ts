import { changeOf } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { followRecords } from '../records/follow-records.js';
import { nodes, presentRole } from '../records/node-kind.js';
import type { ManagerSession } from '../service.js';
import { NodeHeartbeats } from './node-heartbeats.js';

/** A node learns its role when it connects: one whose role has changed connects again, instead of at its next heartbeat. */
@injectable()
export class AnnounceRoles {
  constructor(@inject(NodeHeartbeats) private readonly heartbeats: NodeHeartbeats) {}

  /** For as long as the session lasts. */
  whileManager(session: ManagerSession): Promise<void> {
    return followRecords(session, [nodes], {
      changed: (change) => {
        const node = changeOf(nodes, change);
        if (node?.before === undefined || node.after === undefined) return;
        if (presentRole(node.before.value) !== presentRole(node.after.value)) this.heartbeats.disconnect(node.id);
      },
      lost: () => undefined, // each node learns it with its next heartbeat
    });
  }
}
