import type { ManagerSession } from '@gantry/cluster/service';
import { inject, injectable } from '@gantry/core/driver';
import { Attachments } from '../endpoints/attachments.js';
import { NetworkStates } from '../endpoints/network-states.js';
import { LocalSession } from './local-session.js';
import { LocalTraffics } from './local-traffics.js';
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
    @inject(NetworkStates) private readonly networks: NetworkStates,
    @inject(LocalTraffics) private readonly traffics: LocalTraffics,
  ) {}

  create(session: ManagerSession): LocalSession {
    const { attachments, credentials, files, networks, reports, traffics } = this;
    return new LocalSession(session, credentials, reports, files, attachments, networks, traffics);
  }
}
