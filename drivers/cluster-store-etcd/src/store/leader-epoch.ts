import type { Leadership, LeadershipView } from '@gantry/core/contracts';
import { internal } from '@gantry/core/errors';
import type { EtcdClient } from '../rpc/etcd-client.js';
import type { Compare } from '../rpc/messages.js';
import { epochKey } from './keys.js';

/** The leadership of a store's only member: it leads from the opening of the store until its end. */
export class LeaderEpoch implements LeadershipView {
  private constructor(readonly current: Leadership) {}

  /** Takes an epoch greater than every one before. */
  static async take(client: EtcdClient, signal: AbortSignal): Promise<LeaderEpoch> {
    const rangeEnd = Buffer.concat([epochKey, Buffer.alloc(1)]);
    const { kvs } = await client.range({ key: epochKey, rangeEnd, limit: 1, revision: 0 }, { signal });
    const [before] = kvs;
    const epoch = before === undefined ? 1 : Number(before.value) + 1;
    const unchanged: Compare =
      before === undefined
        ? { result: 0, target: 1, key: epochKey, createRevision: 0 }
        : { result: 0, target: 2, key: epochKey, modRevision: Number(before.modRevision) };
    const put = { requestPut: { key: epochKey, value: Buffer.from(String(epoch)) } };
    const { succeeded } = await client.transact({ compare: [unchanged], success: [put] }, { signal });
    if (!succeeded) throw internal("another process took the epoch of this member's store");
    return new LeaderEpoch({ role: 'leader', epoch });
  }

  /** Nothing changes before the store is closed. */
  onChange(): () => void {
    return () => undefined;
  }
}
