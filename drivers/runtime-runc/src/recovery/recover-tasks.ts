import { readdir } from 'node:fs/promises';
import { inject, injectable } from '@gantry/core/driver';
import { Layout } from '../layout.js';
import type { Task } from '../task/task.js';
import { RecoverTask } from './recover-task.js';
import { RemoveOrphans } from './remove-orphans.js';

/** Finds the tasks of earlier daemons. */
@injectable()
export class RecoverTasks {
  constructor(
    @inject(Layout) private readonly layout: Layout,
    @inject(RemoveOrphans) private readonly removeOrphans: RemoveOrphans,
    @inject(RecoverTask) private readonly recoverTask: RecoverTask,
  ) {}

  /** The tasks in their present states. Nothing watches them yet. */
  async recover(): Promise<readonly Task[]> {
    const ids = await readdir(this.layout.tasks);
    await this.removeOrphans.remove(new Set(ids));
    return Promise.all(ids.map((id) => this.recoverTask.recover(id)));
  }
}
