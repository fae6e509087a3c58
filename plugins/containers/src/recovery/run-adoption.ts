import { ContainerLogs } from '@gantry/container-logs/service';
import { inject, injectable } from '@gantry/core/driver';
import type { Container } from '../container.js';
import { LoggedRecords } from '../logging/logged-records.js';
import { UnrecordedEndpoints } from '../networking/unrecorded-endpoints.js';
import { pauseRun, resumeRun } from '../transitions.js';
import type { FoundTask } from './task-inventory.js';

/** Adopts runs that an earlier daemon started and that are still running. */
@injectable()
export class RunAdoption {
  constructor(
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'resume'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
    @inject(UnrecordedEndpoints) private readonly endpoints: UnrecordedEndpoints,
  ) {}

  async adopt(container: Container, task: FoundTask | undefined): Promise<void> {
    this.logs.resume(this.logged.of(container.record));
    // Paused or resumed by another program, or by a daemon that was killed before it stored that.
    if (task?.status.status === 'paused') await container.change(pauseRun);
    if (task?.status.status === 'running') await container.change(resumeRun);
    await this.endpoints.leave(container);
  }
}
