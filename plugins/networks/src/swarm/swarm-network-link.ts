import { inject, injectable } from '@gantry/core/driver';
import type { SwarmNetworkService, SwarmNetworks, SwarmNode } from '../service.js';
import { SwarmSources } from '../store/swarm-sources.js';
import { JoinedNetworks } from './joined-networks.js';

/** Connects the area with the swarm. */
@injectable()
export class SwarmNetworkLink implements SwarmNetworkService {
  constructor(
    @inject(SwarmSources) private readonly sources: SwarmSources,
    @inject(JoinedNetworks) private readonly joinedNetworks: JoinedNetworks,
  ) {}

  addNetworks(source: SwarmNetworks): () => void {
    return this.sources.addNetworks(source);
  }

  addNode(source: SwarmNode): () => void {
    return this.sources.addNode(source);
  }

  update(networkId: string): Promise<void> {
    return this.joinedNetworks.update(networkId);
  }
}
