import { rm } from 'node:fs/promises';
import { inject, injectable } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux';
import { Mounts } from '@gantry/lib-linux/mounts';

/** Removes directories of tasks and execs. */
@injectable()
export class DirectoryRemoval {
  constructor(@inject(Mounts.token) private readonly mounts: Mounts) {}

  /** A runtime that was killed early may have left itself mounted on a file in the directory. */
  async remove(directory: string): Promise<void> {
    try {
      await rm(directory, { recursive: true, force: true });
    } catch (error) {
      if (!isErrno(error, 'EBUSY')) throw error;
      await this.mounts.unmountTree(directory);
      await rm(directory, { recursive: true, force: true });
    }
  }
}
