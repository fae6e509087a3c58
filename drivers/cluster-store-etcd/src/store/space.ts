import { type Logger, Mutex } from '@gantry/core/driver';
import type { EtcdClient } from '../rpc/etcd-client.js';

const megabyte = 1024 * 1024;
/** Revisions that are kept when space is short. */
const keptRevisions = 1000;

/** Keeps etcd's file small: etcd compacts by itself, and never makes the file smaller. */
export class Space {
  readonly #mutex = new Mutex();

  constructor(
    private readonly client: EtcdClient,
    private readonly log: Logger,
  ) {}

  /** Defragments a file of which more than half is unused. */
  async defragment(): Promise<void> {
    const { dbSize, dbSizeInUse } = await this.client.status();
    if (Number(dbSize) < 64 * megabyte || Number(dbSizeInUse) * 2 > Number(dbSize)) return;
    await this.client.defragment();
    this.log.info({ event: 'etcd.defragmented', before: Number(dbSize) }, 'etcd file defragmented');
  }

  /** Makes room after the quota was reached, and lets etcd write again. Concurrent calls do it once after the other. */
  reclaim(): Promise<void> {
    return this.#mutex.run(async () => {
      const { header } = await this.client.status();
      const revision = Number(header.revision) - keptRevisions;
      if (revision > 0) await this.client.compact(revision).catch(() => undefined); // compacted before: nothing to free
      await this.client.defragment();
      await this.client.disarmSpaceAlarm();
      this.log.warn({ event: 'etcd.space-reclaimed' }, 'etcd had reached its quota; compacted and defragmented it');
    });
  }
}
