import { abortable, inject, injectable, settlesWithin } from '@gantry/core/driver';
import { Processes } from '@gantry/lib-linux/processes';
import { Watcher } from '@gantry/lib-linux/watch';
import { OperationDeadlines } from '../operation-deadlines.js';
import { isAlive, type ProcessIdentity, SIGKILL, signal } from '../process-identity.js';
import { KillTask } from './kill-task.js';
import type { Task } from './task.js';

/** How long a task or a monitor may take to exit before it is forced to, in ms. */
const gracePeriod = 1_000;

/** Kills tasks and waits until they and their monitors have exited. */
@injectable()
export class EndTask {
  constructor(
    @inject(OperationDeadlines) private readonly deadlines: OperationDeadlines,
    @inject(KillTask) private readonly killTask: KillTask,
    @inject(Processes.token) private readonly processes: Processes,
    @inject(Watcher.token) private readonly watcher: Watcher,
  ) {}

  /** Kills everything of a living task and waits for its exit. */
  async kill(task: Task): Promise<void> {
    const operation = { deadline: 'exit', who: `container ${task.id}`, what: 'a kill' } as const;
    await this.deadlines.run(operation, async (signal) => {
      await this.killTask.kill(task, SIGKILL, true).catch((error: unknown) => {
        // It may have exited by itself.
        if (task.isLiving && isAlive(this.processes, task.living.record.first)) throw error;
      });
      // A monitor waits for an attached client to read, even at the end.
      if (!(await settlesWithin(task.ended, gracePeriod, { signal }))) task.detach();
      await abortable(task.ended, signal);
    });
  }

  /** A monitor exits right after it has recorded the exit, unless something it waits for goes on. */
  async waitForMonitor(id: string, monitor: ProcessIdentity): Promise<void> {
    if (!isAlive(this.processes, monitor)) return;
    const watch = this.watcher.processExit(monitor.pid);
    try {
      const operation = { deadline: 'exit', who: `the monitor of ${id}`, what: 'exit' } as const;
      await this.deadlines.run(operation, async (ending) => {
        if (!(await settlesWithin(watch.exited, gracePeriod, { signal: ending }))) {
          signal(this.processes, monitor, SIGKILL);
        }
        await abortable(watch.exited, ending);
      });
    } finally {
      watch.close();
    }
  }
}
