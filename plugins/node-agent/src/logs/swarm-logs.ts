import { inject, injectable } from '@gantry/core/driver';
import { LogSender } from './log-sender.js';
import { RemoteLogs } from './remote-logs.js';
import { TaskLogRoutes } from './task-log-routes.js';

/** The logs of tasks: their routes, reading those of other nodes, and sending this node's own. */
@injectable()
export class SwarmLogs {
  constructor(
    @inject(TaskLogRoutes) private readonly routes: TaskLogRoutes,
    @inject(RemoteLogs) private readonly remote: RemoteLogs,
    @inject(LogSender) private readonly sender: LogSender,
  ) {}

  start(): void {
    this.routes.start();
    this.remote.start();
    this.sender.start();
  }
}
