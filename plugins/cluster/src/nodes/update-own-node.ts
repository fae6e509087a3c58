import { isDeepStrictEqual } from 'node:util';
import { TransactionConflict, updateRecord } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { IdentityFile } from '../certificates/identity-file.js';
import { DescribeEngine } from '../engine/describe-engine.js';
import { EngineFacts } from '../engine/engine-facts.js';
import { LocalMemberFile } from '../membership/local-member-file.js';
import { hostOf } from '../membership/node-addresses.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { nodes } from '../records/node-kind.js';
import type { ManagerSession } from '../service.js';
import { untilDone } from '../sessions/until-done.js';

/** Keeps the record of this engine's own node true: what it is, where it is reached, and that it is ready. */
@injectable()
export class UpdateOwnNode {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(IdentityFile) private readonly identities: IdentityFile,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
    @inject(DescribeEngine) private readonly engine: DescribeEngine,
    @inject(EngineFacts) private readonly facts: EngineFacts,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** For as long as the session lasts. */
  async whileManager(session: ManagerSession): Promise<void> {
    const { signal } = session;
    const update = (): Promise<void> =>
      untilDone(
        signal,
        () => this.#update(session),
        (err) => {
          this.log.error({ event: 'swarm.node-not-updated', err }, "failed to update this engine's node; retrying");
        },
      );
    for (const source of [this.facts, this.identities, this.engine]) {
      signal.addEventListener(
        'abort',
        source.onChange(() => void update()),
        { once: true },
      );
    }
    await update();
  }

  async #update(session: ManagerSession): Promise<void> {
    const { store, nodeId } = session;
    const identity = this.identities.present ?? (await this.identities.read());
    if (identity === undefined) return; // it is about to be issued
    for (;;) {
      const record = store.get(nodes, nodeId);
      const { state } = this.membership;
      if (record === undefined || state.status !== 'active') return;
      const { advertise, dataPath } = this.file.present?.addresses ?? state.member.addresses;
      const { clientAddresses } = this.facts;
      const node = {
        ...record.value,
        description: this.engine.describe(identity),
        status: { state: 'ready' as const, address: hostOf(advertise) },
        dataPath,
        ...(clientAddresses !== undefined && { keepsClientAddresses: clientAddresses.kept }),
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
