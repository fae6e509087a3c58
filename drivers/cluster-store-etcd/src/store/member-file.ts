import type { Logger } from '@gantry/core/driver';
import type { EtcdClient, MemberStatus } from '../rpc/etcd-client.js';

const megabyte = 1024 * 1024;

/** While etcd has reached its quota a file is defragmented when more than this share of it is unused. */
const leastUnused = 1 / 8;

type Size = Pick<MemberStatus, 'dbSize' | 'dbSizeInUse'>;

/** A file that is not small, of which more than half is unused. */
export const mostlyUnused = ({ dbSize, dbSizeInUse }: Size): boolean =>
  Number(dbSize) >= 64 * megabyte && Number(dbSizeInUse) * 2 <= Number(dbSize);

const hasUnused = ({ dbSize, dbSizeInUse }: Size): boolean =>
  Number(dbSize) - Number(dbSizeInUse) > Number(dbSize) * leastUnused;

/**
 * Makes the file of a member smaller that does not lead. Each member has a file, and one that is too large keeps all of them
 * from writing: the leader frees only its own.
 */
export class MemberFile {
  constructor(
    private readonly client: Pick<EtcdClient, 'defragment'>,
    private readonly log: Logger,
  ) {}

  /** Resolves when the file is small enough for what it has. */
  async review(status: MemberStatus): Promise<void> {
    const isFull = status.errors.some((error) => error.includes('NOSPACE'));
    if (!(isFull ? hasUnused(status) : mostlyUnused(status))) return;
    try {
      await this.client.defragment();
      this.log.info({ event: 'etcd.defragmented', before: Number(status.dbSize), isFull }, 'etcd file defragmented');
    } catch (err) {
      this.log.warn({ event: 'etcd.defragment-failed', err }, 'failed to defragment etcd; retrying');
    }
  }
}
