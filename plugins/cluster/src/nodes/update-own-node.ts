import { isDeepStrictEqual } from 'node:util';
import { TransactionConflict, updateRecord } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { DescribeEngine } from '../engine/describe-engine.js';
import { EngineLabels } from '../engine/engine-labels.js';
import { hostOf } from '../membership/node-addresses.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { nodes } from '../records/node-kind.js';
import { presentCluster } from '../records/present-cluster.js';
import type { ManagerSession } from '../service.js';

/** Keeps the record of this engine's own node true: what it is, where it is reached, and that it is ready. */
@injectable()
export class UpdateOwnNode {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(DescribeEngine) private readonly engine: DescribeEngine,
    @inject(EngineLabels) private readonly labels: EngineLabels,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** For as long as the session lasts. */
  async whileManager(session: ManagerSession): Promise<void> {
    const removeListener = this.labels.onChange(() => {
      this.#update(session).catch((err: unknown) => {
        this.log.error({ event: 'swarm.node-not-updated', err }, "failed to update this engine's node");
      });
    });
    session.signal.addEventListener('abort', removeListener, { once: true });
    await this.#update(session);
  }

  async #update(session: ManagerSession): Promise<void> {
    const { store, nodeId } = session;
    for (;;) {
      const record = store.get(nodes, nodeId);
      const { state } = this.membership;
      if (record === undefined || state.status !== 'active') return;
      const { advertise } = state.member.addresses;
      const node = {
        ...record.value,
        description: this.engine.describe(presentCluster(session.store).value.rootCa),
        status: { state: 'ready' as const, address: hostOf(advertise) },
        manager: { memberId: store.memberId, address: advertise },
      };
      if (isDeepStrictEqual(node, record.value)) return;
      try {
        await store.transact([updateRecord(nodes, record, node)], { signal: session.signal });
        return;
      } catch (error) {
        if (!TransactionConflict.is(error)) throw error; // else another update came first: once more on top of it
      }
    }
  }
}
