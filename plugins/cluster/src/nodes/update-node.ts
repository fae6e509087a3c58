import { updateRecord } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { type NodeSpec, nodes } from '../records/node-kind.js';
import { findNode } from './find-node.js';

/** Replaces the specification of a node. */
@injectable()
export class UpdateNode {
  constructor(@inject(SwarmMembership) private readonly membership: SwarmMembership) {}

  /** Rejects `not-found`, and `conflict` for another version or the demotion of the last manager. */
  async update(id: string, version: number, spec: NodeSpec): Promise<void> {
    const { store } = await this.membership.manager();
    const node = findNode(store, id);
    if (node.revision !== version) throw conflict('update out of sequence');
    const isDemoted = node.value.spec.Role === 'manager' && spec.Role === 'worker';
    const managers = store.list(nodes).filter(({ value }) => value.spec.Role === 'manager').length;
    if (isDemoted && managers === 1) throw conflict('attempting to demote the last manager of the swarm');
    await store.transact([updateRecord(nodes, node, { ...node.value, spec })]);
  }
}
