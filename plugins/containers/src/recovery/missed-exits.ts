import { ContainerLogs } from '@gantry/container-logs/service';
import { type RuntimeDriver, RuntimeDrivers, type TaskExit } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { LoggedRecords } from '../logging/logged-records.js';
import { ExitHandler } from '../supervision/exit-handler.js';
import { exitRecorded } from '../tasks/exit-recorded.js';
import type { FoundTask } from './task-inventory.js';

/** Handles exits that happened while no daemon was running. */
@injectable()
export class MissedExits {
  constructor(
    @inject(RuntimeDrivers.token) private readonly runtimes: DriverSet<RuntimeDriver>,
    @inject(ExitHandler) private readonly exits: ExitHandler,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'resume'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
  ) {}

  /** Without an exit on disk, as after a restart of the host, the exit code is 255. */
  async handle(container: Container, task: FoundTask | undefined): Promise<void> {
    this.logs.resume(this.logged.of(container.record));
    const runtime = task?.runtime ?? this.runtimes.get();
    const handled = this.exits.handle(
      runtime,
      task?.status.status === 'exited' ? task.status : unknownExit(container, task),
    );
    // A disk that accepts no writes must not keep the daemon from starting: storing is retried in the background.
    await Promise.race([handled, exitRecorded(container).catch(() => undefined)]);
  }
}

function unknownExit({ id }: Container, task: FoundTask | undefined): TaskExit {
  const lost = task?.status.status === 'broken' ? task.status.reason : 'its process is gone, and no exit was recorded';
  return { id, exitCode: 255, exitedAt: new Date(), oomKilled: false, lost };
}
