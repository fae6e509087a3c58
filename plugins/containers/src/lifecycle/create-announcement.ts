import { ContainerLogs } from '@gantry/container-logs/service';
import { inject, injectable } from '@gantry/core/driver';
import { ContainerEvents } from '../container-events.js';
import { LoggedRecords } from '../logging/logged-records.js';
import type { ContainerRecord } from '../record.js';

/** What follows when a new container is stored. */
@injectable()
export class CreateAnnouncement {
  constructor(
    @inject(ContainerEvents) private readonly events: ContainerEvents,
    @inject(ContainerLogs.token) private readonly logs: Pick<ContainerLogs, 'prepare'>,
    @inject(LoggedRecords) private readonly logged: LoggedRecords,
  ) {}

  /** Publishes `create`, and prepares the log of a run that may follow soon. */
  announce(record: ContainerRecord): void {
    this.events.publish(record, 'create');
    this.logs.prepare(this.logged.of(record));
  }
}
