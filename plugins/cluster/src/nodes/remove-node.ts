import { deleteRecord } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { nodes } from '../records/node-kind.js';
import { findNode } from './find-node.js';

/** Removes a node from the swarm. */
@injectable()
export class RemoveNode {
  constructor(@inject(SwarmMembership) private readonly membership: SwarmMembership) {}

  /** Rejects `not-found`, and `conflict` for a manager, and for a node that is not down unless it is forced. */
  async remove(id: string, { force }: { readonly force: boolean }): Promise<void> {
    const { store } = await this.membership.manager();
    const node = findNode(store, id);
    const { manager, spec, status } = node.value;
    if (manager !== undefined || spec.Role === 'manager') {
      throw conflict(
        `node ${node.id} is a cluster manager and is a member of the raft cluster. ` +
          'It must be demoted to worker before removal',
      );
    }
    if (status.state !== 'down' && !force) throw conflict(`node ${node.id} is not down and can't be removed`);
    await store.transact([deleteRecord(nodes, node)]);
  }
}
