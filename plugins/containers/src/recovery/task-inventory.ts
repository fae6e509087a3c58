import { type RuntimeDriver, RuntimeDrivers, type TaskStatus } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';

export interface FoundTask {
  readonly runtime: RuntimeDriver;
  readonly status: TaskStatus;
}

/** Whether the task has a process. */
export const isLive = (task: FoundTask | undefined): boolean =>
  task?.status.status === 'running' || task?.status.status === 'paused';

/** The tasks of all runtime drivers. */
@injectable()
export class TaskInventory {
  constructor(@inject(RuntimeDrivers.token) private readonly runtimes: DriverSet<RuntimeDriver>) {}

  /** By id. */
  async list(): Promise<ReadonlyMap<string, FoundTask>> {
    const lists = await Promise.all(
      [...this.runtimes.entries()].map(async ([, runtime]) =>
        (await runtime.tasks()).map((status) => [status.id, { runtime, status }] as const),
      ),
    );
    return new Map(lists.flat());
  }
}
