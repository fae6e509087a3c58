import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { Processes } from '@gantry/lib-linux/processes';
import { DirectoryRemoval } from '../directory-removal.js';
import { ifPresent } from '../if-present.js';
import { readPid } from '../monitor/monitor-launcher.js';
import type { Task } from '../task/task.js';

/** Removes the files of ended execs of an earlier daemon. Those that run keep theirs until the task is deleted. */
@injectable()
export class RemoveEndedExecs {
  constructor(
    @inject(Processes.token) private readonly processes: Processes,
    @inject(DirectoryRemoval) private readonly removal: DirectoryRemoval,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Never rejects: what cannot be removed is logged and goes with the task. */
  async remove({ layout: { execs } }: Task): Promise<void> {
    try {
      for (const name of (await ifPresent(readdir(execs))) ?? []) {
        const monitor = await readPid(join(execs, name, 'monitor.pid'));
        const isRunning = monitor !== undefined && this.processes.isAlive(monitor);
        if (!isRunning) await this.removal.remove(join(execs, name));
      }
    } catch (error) {
      this.log.warn({ event: 'task.orphan', what: execs, error }, 'failed to remove an orphan');
    }
  }
}
