import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import { ClusterRoutes } from './cluster-routes.js';
import { ManagerSessions, type OpenSession } from './membership/manager-sessions.js';
import { PublishChanges } from './membership/publish-changes.js';
import { SwarmMembership } from './membership/swarm-membership.js';
import { UpdateOwnNode } from './nodes/update-own-node.js';
import { ApplyLock } from './swarm/apply-lock.js';

/** The hooks of the package. */
@injectable()
export class ClusterPlugin implements DriverLifecycle {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(ManagerSessions) private readonly sessions: ManagerSessions,
    @inject(PublishChanges) private readonly publishChanges: PublishChanges,
    @inject(UpdateOwnNode) private readonly ownNode: UpdateOwnNode,
    @inject(ApplyLock) private readonly lock: ApplyLock,
    @inject(ClusterRoutes) private readonly routes: ClusterRoutes,
  ) {}

  async start(): Promise<void> {
    this.sessions.whileManager((session) => this.publishChanges.whileManager(session));
    this.routes.start();
  }

  /** The labels of the engine are known by now, and other areas wait for sessions. */
  async ready(): Promise<void> {
    this.sessions.whileManager((session) => this.ownNode.whileManager(session));
    this.sessions.whileManager((session) => this.lock.apply(session as OpenSession));
    await this.membership.resume();
  }

  async stop(): Promise<void> {
    await this.membership.close();
  }
}
