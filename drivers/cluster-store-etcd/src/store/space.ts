import { type Logger, Mutex } from '@gantry/core/driver';
import type { Mirror } from '@gantry/lib-cluster-store';
import { type EtcdClient, SpaceExceeded } from '../rpc/etcd-client.js';
import { mostlyUnused } from './member-file.js';
import { compact, reclaimSpace } from './reclaim-space.js';
import type { Growth } from './to-transaction.js';

/** How much of the quota has to be written again before there may be room where there was none. */
const worthReclaiming = 1 / 16;

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
  /** Bytes that may be written before the size of the file is read again. */
  #room = 0;
  #reading: Promise<void> | undefined;
  /** What may have become free since space was last reclaimed. */
  #hasRemovals = true;
  #written = 0;

  constructor(
    private readonly client: Pick<EtcdClient, 'status' | 'compact' | 'defragment' | 'disarmSpaceAlarm'>,
    private readonly mirror: Pick<Mirror, 'revision'>,
    /** Bytes of the file from which on no record is created. */
    private readonly quotaBytes: number,
    private readonly log: Logger,
  ) {}

  /** Called at intervals: compacts what is older than one of them, and defragments a file of which most is unused. */
  maintain(): Promise<void> {
    return this.#mutex.run(async () => {
      const earlier = this.#earlierRevision;
      this.#earlierRevision = this.mirror.revision;
      if (earlier > 0) await compact(this.client, earlier);
      const status = await this.client.status();
      if (!mostlyUnused(status)) return;
      await this.client.defragment();
      this.log.info({ event: 'etcd.defragmented', before: Number(status.dbSize) }, 'etcd file defragmented');
    });
  }

  /**
   * Called before each transaction, with what it adds. Rejects `SpaceExceeded` when it creates records and the quota is
   * reached; others are admitted, for a removal first changes what it removes. etcd refuses those at a larger size.
   */
  async admit({ creates, removes, bytes }: Growth): Promise<void> {
    if (removes) this.#hasRemovals = true;
    if (creates && bytes > this.#room) await this.#makeRoom(bytes);
    this.#written += bytes;
    // A page of the file is rarely full. What this counts too much is corrected when the size is read again.
    this.#room -= 2 * bytes;
  }

  async #makeRoom(bytes: number): Promise<void> {
    await this.#readRoom();
    if (bytes <= this.#room) return;
    if (this.#hasRemovals || this.#written >= this.quotaBytes * worthReclaiming) {
      await this.reclaim();
      await this.#readRoom();
    }
    if (bytes > this.#room) throw new SpaceExceeded();
  }

  #readRoom(): Promise<void> {
    this.#reading ??= this.client
      .status()
      .then(({ dbSize }) => {
        this.#room = this.quotaBytes - Number(dbSize);
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
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
        this.#hasRemovals = false;
        this.#written = 0;
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
