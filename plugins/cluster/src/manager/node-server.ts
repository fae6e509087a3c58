import { inject, injectable } from '@gantry/core/driver';
import { LocalMemberFile } from '../membership/local-member-file.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { JoinRequests } from './join-requests.js';
import { ManagerEndpoint } from './manager-endpoint.js';
import { NodeHeartbeats } from './node-heartbeats.js';
import { StoreRequests } from './store-requests.js';

/** What managers do for the other nodes. */
@injectable()
export class NodeServer {
  constructor(
    @inject(ManagerEndpoint) private readonly endpoint: ManagerEndpoint,
    @inject(NodeHeartbeats) private readonly heartbeats: NodeHeartbeats,
    @inject(JoinRequests) private readonly joinRequests: JoinRequests,
    @inject(StoreRequests) private readonly storeRequests: StoreRequests,
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(LocalMemberFile) private readonly file: LocalMemberFile,
  ) {}

  start(): void {
    this.heartbeats.start();
    this.joinRequests.start();
    this.storeRequests.start();
  }

  /** Listens whenever this node is a manager, from now on: its certificate is read. */
  ready(): void {
    this.membership.onChange(() => this.#follow());
    this.file.onChange(() => this.#follow());
    this.#follow();
  }

  whileManager(session: OpenSession): Promise<void> {
    return this.heartbeats.whileManager(session);
  }

  async stop(): Promise<void> {
    this.endpoint.follow(undefined);
    await this.endpoint.close();
  }

  /** Managers listen, whether they lead or not, and a node that is about to become one: the leader's store reaches it. */
  #follow(): void {
    const { status } = this.membership.state;
    const { present } = this.file;
    const isOpen = status === 'pending' || status === 'active';
    const isManager = present?.role === 'manager' && (isOpen || (status === 'worker' && present.phase === 'joining'));
    this.endpoint.follow(isManager ? present.addresses.listen : undefined);
  }
}
