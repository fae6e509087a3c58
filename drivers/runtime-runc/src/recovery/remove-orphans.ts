import { readdir, rm } from 'node:fs/promises';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { Layout } from '../layout.js';
import { RemoveBrokenTask } from '../task/remove-broken-task.js';

/** Removes what an earlier daemon left that belongs to no task. */
@injectable()
export class RemoveOrphans {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(RemoveBrokenTask) private readonly removeBrokenTask: RemoveBrokenTask,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** What cannot be removed is logged and does not prevent the start. */
  async remove(taskIds: ReadonlySet<string>): Promise<void> {
    const { consoles, runtimeRoot } = this.layout;
    // A terminal that was being passed on when the daemon died is lost.
    await this.#attempt(consoles, () => rm(consoles, { recursive: true, force: true }));
    // Runtime state without a task: its removal was interrupted.
    for (const id of await readdir(runtimeRoot)) {
      if (!taskIds.has(id)) await this.#attempt(id, () => this.removeBrokenTask.remove(id));
    }
  }

  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.warn({ event: 'task.orphan', what, error }, 'failed to remove an orphan');
    }
  }
}
