import type { TaskExit, TaskStats, TaskStatus } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { ReadStats } from './read-stats.js';
import { TaskRegistry } from './task-registry.js';
import { TaskWatcher } from './task-watcher.js';

/** What is known of tasks: their states, exits and counters. */
@injectable()
export class TaskObservation {
  constructor(
    @inject(TaskRegistry) private readonly registry: TaskRegistry,
    @inject(TaskWatcher) private readonly watcher: TaskWatcher,
    @inject(ReadStats) private readonly readStats: ReadStats,
  ) {}

  tasks(): readonly TaskStatus[] {
    return this.registry.all().flatMap(({ status }) => status ?? []);
  }

  status(id: string): TaskStatus {
    return this.registry.get(id).knownStatus;
  }

  async stats(id: string): Promise<TaskStats> {
    return this.readStats.read(this.registry.get(id));
  }

  onExit(listener: (exit: TaskExit) => void): () => void {
    return this.watcher.exits.add(listener);
  }

  onOom(listener: (id: string) => void): () => void {
    return this.watcher.oomKills.add(listener);
  }
}
