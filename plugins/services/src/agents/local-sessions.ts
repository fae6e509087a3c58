import type { ManagerSession } from '@gantry/cluster/service';
import { inject, injectable } from '@gantry/core/driver';
import { Attachments } from '../endpoints/attachments.js';
import { AppliedNetworks } from './applied-networks.js';
import { DrainTask } from './drain-task.js';
import { LocalSession } from './local-session.js';
import { ReportStates } from './report-states.js';
import { TaskCredentials } from './task-credentials.js';
import { TaskFiles } from './task-files.js';

/** Makes the sessions of the leader's own agent. */
@injectable()
export class LocalSessions {
  constructor(
    @inject(ReportStates) private readonly reports: ReportStates,
    @inject(TaskFiles) private readonly files: TaskFiles,
    @inject(TaskCredentials) private readonly credentials: TaskCredentials,
    @inject(Attachments) private readonly attachments: Attachments,
    @inject(DrainTask) private readonly drainTask: DrainTask,
    @inject(AppliedNetworks) private readonly applied: AppliedNetworks,
  ) {}

  create(session: ManagerSession): LocalSession {
    const { applied, attachments, credentials, drainTask, files, reports } = this;
    return new LocalSession(session, credentials, reports, files, attachments, drainTask, applied);
  }
}
