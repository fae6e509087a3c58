import { inject, injectable } from '@gantry/core/driver';
import { LeaderWork } from './manager/leader-work.js';
import { NodeServer } from './manager/node-server.js';
import { PublishChanges } from './membership/publish-changes.js';
import { UpdateOwnNode } from './nodes/update-own-node.js';
import { ManagerSessions, type OpenSession } from './sessions/manager-sessions.js';
import { ApplyLock } from './swarm/apply-lock.js';

/** What this area does as long as the engine leads a swarm. */
@injectable()
export class ManagerWork {
  constructor(
    @inject(ManagerSessions) private readonly sessions: ManagerSessions,
    @inject(PublishChanges) private readonly publishChanges: PublishChanges,
    @inject(UpdateOwnNode) private readonly ownNode: UpdateOwnNode,
    @inject(ApplyLock) private readonly lock: ApplyLock,
    @inject(NodeServer) private readonly server: NodeServer,
    @inject(LeaderWork) private readonly leaderWork: LeaderWork,
  ) {}

  start(): void {
    this.sessions.whileManager((session) => this.publishChanges.whileManager(session));
  }

  ready(): void {
    this.lock.start();
    this.sessions.whileManager((session) => this.ownNode.whileManager(session));
    this.sessions.whileManager((session) => this.lock.whileManager(session as OpenSession));
    this.sessions.whileManager((session) => this.server.whileManager(session as OpenSession));
    this.sessions.whileManager((session) => this.leaderWork.whileManager(session as OpenSession));
  }
}
