import { type Logger, Mutex } from '@gantry/core/driver';
import type { Mirror } from '@gantry/lib-cluster-store';
import type { EtcdClient } from '../rpc/etcd-client.js';
import { compact, reclaimSpace } from './reclaim-space.js';

const megabyte = 1024 * 1024;

/**
 * Keeps etcd small. Its history only serves watches that are resumed after an interruption; those of a member that was
 * away for longer reload all records. etcd never makes its file smaller by itself.
 */
export class Space {
  readonly #mutex = new Mutex();
  /** Of the mirror when `maintain` was last called. */
  #earlierRevision = 0;
  #reclaiming: Promise<void> | undefined;
  /** Of the mirror when space was last reclaimed: without a transaction since then there is nothing to free here. */
  #reclaimedRevision = 0;

  constructor(
    private readonly client: Pick<EtcdClient, 'status' | 'compact' | 'defragment' | 'disarmSpaceAlarm'>,
    private readonly mirror: Pick<Mirror, 'revision'>,
    private readonly log: Logger,
  ) {}

  /** Called at intervals: compacts what is older than one of them, and defragments a file of which most is unused. */
  maintain(): Promise<void> {
    return this.#mutex.run(async () => {
      const earlier = this.#earlierRevision;
      this.#earlierRevision = this.mirror.revision;
      if (earlier > 0) await compact(this.client, earlier);
      const { dbSize, dbSizeInUse } = await this.client.status();
      if (Number(dbSize) < 64 * megabyte || Number(dbSizeInUse) * 2 > Number(dbSize)) return;
      await this.client.defragment();
      this.log.info({ event: 'etcd.defragmented', before: Number(dbSize) }, 'etcd file defragmented');
    });
  }

  /** Makes room after the quota was reached, and lets etcd write again. Concurrent calls share one run. */
  reclaim(): Promise<void> {
    this.#reclaiming ??= this.#mutex
      .run(async () => {
        const { revision } = this.mirror;
        if (revision === this.#reclaimedRevision) {
          // The alarm may be that of another member, which has made room itself meanwhile.
          return this.client.disarmSpaceAlarm();
        }
        await reclaimSpace(this.client, revision);
        this.#reclaimedRevision = revision;
        this.log.warn({ event: 'etcd.space-reclaimed' }, 'etcd had reached its quota; compacted and defragmented it');
      })
      .finally(() => {
        this.#reclaiming = undefined;
      });
    return this.#reclaiming;
  }
}
