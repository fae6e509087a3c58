import { inject, injectable, Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { Processes } from '@gantry/lib-linux/processes';
import { Layout } from '../layout.js';
import { processesOfBundle } from '../monitor/processes-of-bundle.js';
import { SIGKILL } from '../process-identity.js';
import { Task } from '../task/task.js';
import { readRecord } from '../task/task-record.js';
import { FindTaskState } from './find-task-state.js';
import { RemoveEndedExecs } from './remove-ended-execs.js';

/** Recovers one task of an earlier daemon. */
@injectable()
export class RecoverTask {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(Processes.token) private readonly processes: Processes,
    @inject(FindTaskState) private readonly findTaskState: FindTaskState,
    @inject(RemoveEndedExecs) private readonly removeEndedExecs: RemoveEndedExecs,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Never rejects: a task that cannot be recovered is broken, and the reason is logged. */
  async recover(id: string): Promise<Task> {
    try {
      return await this.#recover(id);
    } catch (error) {
      const reason = `its record cannot be read: ${messageOf(error)}`;
      this.log.error({ event: 'task.unreadable', task: id, error }, 'task cannot be recovered');
      return new Task(id, this.layout.task(id), { status: 'broken', reason });
    }
  }

  async #recover(id: string): Promise<Task> {
    const layout = this.layout.task(id);
    const record = await readRecord(layout);
    if (record === undefined) {
      // A monitor or runtime that is still creating it must not get any further.
      for (const pid of await processesOfBundle(layout.directory)) this.processes.kill(pid, SIGKILL);
      return new Task(id, layout, { status: 'broken', reason: 'its creation was interrupted' });
    }
    const task = new Task(id, layout, await this.findTaskState.find(id, record));
    await this.removeEndedExecs.remove(task);
    return task;
  }
}
