import { rmdir } from 'node:fs/promises';
import { inject, injectable } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import { CgroupPlacement } from './cgroup-placement.js';

/** The cgroup that holds those of the tasks. */
@injectable()
export class ParentCgroup {
  constructor(
    @inject(CgroupPlacement) private readonly placement: Pick<CgroupPlacement, 'driver' | 'parent'>,
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
  ) {}

  /** Removes it unless a task is left in it. Slices are systemd's. */
  async remove(): Promise<void> {
    if (this.placement.driver === 'systemd') return;
    const group = await this.cgroups.group(this.placement.parent);
    await Promise.all(
      group.directories().map(async (directory) => {
        try {
          await rmdir(directory);
        } catch (error) {
          if (!isErrno(error, 'ENOENT', 'EBUSY', 'ENOTEMPTY')) throw error;
        }
      }),
    );
  }
}
