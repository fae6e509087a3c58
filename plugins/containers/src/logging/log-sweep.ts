import { ContainerLogs } from '@gantry/container-logs/service';
import { inject, injectable } from '@gantry/core/driver';
import { ContainerStore } from '../store/container-store.js';
import { LoggedRecords } from './logged-records.js';

/** Writes what an earlier daemon left in the spools of containers. */
@injectable()
export class LogSweep {
  constructor(
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'all'>,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'sweep'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
  ) {}

  /** In the background. */
  start(): void {
    void this.logs.sweep(Array.from(this.store.all(), ({ record }) => this.logged.of(record)));
  }
}
