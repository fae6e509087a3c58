import { inject, injectable } from '@gantry/core/driver';
import { AttachedContainers } from './networks/attached-containers.js';
import { DriverOfNetwork } from './networks/driver-of-network.js';
import type { Network, NetworkContainers, NetworkService } from './service.js';
import { NetworkStore } from './store/network-store.js';

/** The networks as other areas see them. */
@injectable()
export class NetworksService implements NetworkService {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(AttachedContainers) private readonly containers: AttachedContainers,
  ) {}

  get(reference: string): Network {
    const network = this.store.resolve(reference);
    const { capabilities } = this.driverOf.get(network);
    return {
      id: network.id,
      name: network.name,
      driver: network.driver,
      scope: this.driverOf.scopeOf(network),
      predefined: network.predefined,
      hostStack: capabilities.hostStack,
      userDefined: this.driverOf.isUserDefined(network),
      ...(network.swarm?.ingress === true && { ingress: true as const }),
    };
  }

  addContainers(containers: NetworkContainers): () => void {
    return this.containers.register(containers);
  }
}
