import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import { ClusterRoutes } from './cluster-routes.js';
import { NodeServer } from './manager/node-server.js';
import { ManagerWork } from './manager-work.js';
import { ChangeRole } from './membership/change-role.js';
import { MembershipMutex } from './membership/membership-mutex.js';
import { SwarmMembership } from './membership/swarm-membership.js';

/** The hooks of the package. */
@injectable()
export class ClusterPlugin implements DriverLifecycle {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(MembershipMutex) private readonly mutex: MembershipMutex,
    @inject(ManagerWork) private readonly work: ManagerWork,
    @inject(NodeServer) private readonly server: NodeServer,
    @inject(ChangeRole) private readonly roles: ChangeRole,
    @inject(ClusterRoutes) private readonly routes: ClusterRoutes,
  ) {}

  async start(): Promise<void> {
    this.work.start();
    this.server.start();
    this.roles.start();
    this.routes.start();
    await this.membership.find();
  }

  /** The labels of the engine are known by now, and other areas wait for sessions. */
  async ready(): Promise<void> {
    this.work.ready();
    await this.mutex.run(() => this.membership.resume());
    this.server.ready();
  }

  async stop(): Promise<void> {
    await this.membership.close();
    await this.server.stop();
  }
}
