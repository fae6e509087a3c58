import { ClusterService } from '@gantry/cluster/service';
import { ClusterNetworks } from '@gantry/cluster-networks/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { NetworkUsers } from '../endpoints/network-users.js';
import { FileUsers } from './file-users.js';

/** Lets the areas whose records services refer to ask who uses them. */
@injectable()
export class RecordUsers {
  constructor(
    @inject(ClusterService.token) private readonly cluster: Pick<ClusterService, 'addUsers'>,
    @inject(ClusterNetworks.token) private readonly networks: ClusterNetworks,
    @inject(FileUsers) private readonly files: FileUsers,
    @inject(NetworkUsers) private readonly networkUsers: NetworkUsers,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    this.lifetime.add(this.cluster.addUsers(this.files));
    this.lifetime.add(this.networks.addUsers(this.networkUsers));
  }
}
