import { rmdir } from 'node:fs/promises';
import { Config, inject, injectable } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux';
import { Cgroups } from '@gantry/lib-linux/cgroups';
import type { RuntimeConfig } from './config.js';

/** The cgroup that holds those of the tasks. */
@injectable()
export class ParentCgroup {
  constructor(
    @inject(Config) private readonly config: Pick<RuntimeConfig, 'cgroupParent'>,
    @inject(Cgroups.token) private readonly cgroups: Cgroups,
  ) {}

  /** Removes it unless a task is left in it. */
  async remove(): Promise<void> {
    const group = await this.cgroups.group(this.config.cgroupParent);
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
