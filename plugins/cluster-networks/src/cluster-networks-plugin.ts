import { ClusterService } from '@gantry/cluster/service';
import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { SwarmNetworkService } from '@gantry/networks/service';
import { ingressChanges } from './ingress-changes.js';
import { LeaderNetworks } from './leader-networks.js';
import { PublishChanges } from './publish-changes.js';
import { StoredNetworks } from './stored-networks.js';

/** The hooks of the package. */
@injectable()
export class ClusterNetworksPlugin implements DriverLifecycle {
  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(SwarmNetworkService.token) private readonly networks: SwarmNetworkService,
    @inject(StoredNetworks) private readonly stored: StoredNetworks,
    @inject(LeaderNetworks) private readonly leader: LeaderNetworks,
    @inject(PublishChanges) private readonly changes: PublishChanges,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.cluster.addInitialRecords(ingressChanges));
    this.lifetime.add(this.networks.addNetworks(this.leader));
    this.lifetime.add(this.stored.follow());
    this.leader.start();
    this.lifetime.add(this.cluster.whileManager((session) => this.changes.run(session)));
  }
}
