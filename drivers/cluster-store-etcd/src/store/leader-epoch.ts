import type { Leadership, LeadershipView } from '@gantry/core/contracts';
import { unavailable } from '@gantry/core/errors';
import { type EtcdClient, SpaceExceeded } from '../rpc/etcd-client.js';
import type { Compare } from '../rpc/messages.js';
import { epochKey } from './keys.js';
import { reclaimSpace } from './reclaim-space.js';

/** The leadership of a member that has taken an epoch, until another member takes the next one. */
export class LeaderEpoch implements LeadershipView {
  readonly #listeners = new Set<(leadership: Leadership) => void>();
  #current: Leadership;

  private constructor(
    private readonly client: Pick<EtcdClient, 'range'>,
    /** With which every transaction of the store is compared. */
    readonly epoch: number,
  ) {
    this.#current = { role: 'leader', epoch };
  }

  /**
   * Takes an epoch greater than every one before. Rejects `unavailable` when another member takes it. When etcd has reached
   * its quota, space is made for it: without a leader nothing could be removed.
   */
  static async take(client: EtcdClient, signal: AbortSignal): Promise<LeaderEpoch> {
    try {
      return await LeaderEpoch.#take(client, signal);
    } catch (error) {
      if (!(error instanceof SpaceExceeded)) throw error;
      const { header } = await client.range(epochRange, { signal });
      await reclaimSpace(client, Number(header.revision));
      return LeaderEpoch.#take(client, signal);
    }
  }

  static async #take(client: EtcdClient, signal: AbortSignal): Promise<LeaderEpoch> {
    const before = await readEpoch(client, signal);
    const epoch = before === undefined ? 1 : before.epoch + 1;
    const unchanged: Compare =
      before === undefined
        ? { result: 0, target: 1, key: epochKey, createRevision: 0 }
        : { result: 0, target: 2, key: epochKey, modRevision: before.revision };
    const put = { requestPut: { key: epochKey, value: Buffer.from(String(epoch)) } };
    const { succeeded } = await client.transact({ compare: [unchanged], success: [put] }, { signal });
    if (!succeeded) throw unavailable('another member of the store took the leadership');
    return new LeaderEpoch(client, epoch);
  }

  get current(): Leadership {
    return this.#current;
  }

  onChange(listener: (leadership: Leadership) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether no other member has taken a later epoch. */
  async isPresent(signal: AbortSignal): Promise<boolean> {
    return (await readEpoch(this.client, signal))?.epoch === this.epoch;
  }

  /** Another member leads, or none does. */
  end(): void {
    if (this.#current.role === 'follower') return;
    this.#current = { role: 'follower' };
    for (const listener of this.#listeners) listener(this.#current);
  }
}

const epochRange = { key: epochKey, rangeEnd: Buffer.concat([epochKey, Buffer.alloc(1)]), limit: 1, revision: 0 };

async function readEpoch(client: Pick<EtcdClient, 'range'>, signal: AbortSignal) {
  const { kvs } = await client.range(epochRange, { signal });
  const [found] = kvs;
  return found && { epoch: Number(found.value), revision: Number(found.modRevision) };
}
