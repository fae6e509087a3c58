import type { Logger } from '@gantry/core/driver';
import type { EtcdClient, MemberStatus } from '../rpc/etcd-client.js';

/** A file is defragmented when more than this share of it is unused. */
const leastUnused = 1 / 8;

/**
 * Makes the file of this member smaller while etcd has reached its quota. Each member has a file, and one that is too large
 * keeps all of them from writing: the leader frees only its own.
 */
export class MemberFile {
  constructor(
    private readonly client: Pick<EtcdClient, 'defragment'>,
    private readonly log: Logger,
  ) {}

  /** Resolves when the file is small enough for what it has. */
  async review({ dbSize, dbSizeInUse, errors }: MemberStatus): Promise<void> {
    if (!errors.some((error) => error.includes('NOSPACE'))) return;
    const [size, used] = [Number(dbSize), Number(dbSizeInUse)];
    if (size - used <= size * leastUnused) return;
    try {
      await this.client.defragment();
      this.log.warn({ event: 'etcd.defragmented', before: size }, 'etcd has reached its quota; defragmented its file');
    } catch (err) {
      this.log.warn({ event: 'etcd.defragment-failed', err }, 'failed to defragment etcd; retrying');
    }
  }
}
