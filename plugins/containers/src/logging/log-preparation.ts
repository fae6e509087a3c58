import { ContainerLogs } from '@gantry/container-logs/service';
import { inject, injectable } from '@gantry/core/driver';
import type { ContainerRecord } from '../record.js';
import { LoggedRecords } from './logged-records.js';

/** Prepares the log of a container that may be started soon. */
@injectable()
export class LogPreparation {
  constructor(
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'prepare'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
  ) {}

  prepare(record: ContainerRecord): void {
    this.logs.prepare(this.logged.of(record));
  }
}
