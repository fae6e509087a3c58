import { inject, injectable } from '@gantry/core/driver';
import { internal, notFound } from '@gantry/core/errors';
import { RemoveEndpoint } from '../endpoints/remove-endpoint.js';
import { toEndpoint } from '../endpoints/to-endpoint.js';
import type { Attachment, Endpoint, EndpointService } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import { SwarmSources } from '../store/swarm-sources.js';
import { JoinedNetworks } from '../swarm/joined-networks.js';
import { AdjustGateway } from './adjust-gateway.js';
import { ConnectContainer } from './connect-container.js';

/** The endpoints of running containers. Calls for one container must not overlap. */
@injectable()
export class EndpointsService implements EndpointService {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(ConnectContainer) private readonly connectContainer: ConnectContainer,
    @inject(RemoveEndpoint) private readonly removeEndpoint: RemoveEndpoint,
    @inject(JoinedNetworks) private readonly joinedNetworks: JoinedNetworks,
    @inject(AdjustGateway) private readonly gateway: AdjustGateway,
    @inject(SwarmSources) private readonly swarm: SwarmSources,
  ) {}

  endpointsOf(containerId: string): readonly Endpoint[] {
    return this.store.endpointsOf(containerId).map((record) => toEndpoint(this.store, record));
  }

  async connect(containerId: string, attachment: Attachment): Promise<Endpoint> {
    const { networkId } = attachment;
    const record = await this.joinedNetworks.hold([networkId], () =>
      this.connectContainer.connect(containerId, attachment),
    );
    await this.gateway.adjust(containerId);
    if (this.store.ownNetwork(networkId)?.swarm !== undefined) await this.swarm.node?.joined(containerId, [networkId]);
    return toEndpoint(this.store, record);
  }

  async disconnect(containerId: string, networkId: string): Promise<void> {
    const record = this.store.endpointsOf(containerId).find((endpoint) => endpoint.networkId === networkId);
    if (record === undefined) {
      const name = this.store.network(networkId)?.name ?? networkId;
      throw internal(`container ${containerId} is not connected to network ${name}`);
    }
    await this.joinedNetworks.release([networkId], () => this.removeEndpoint.remove(record));
    if (record.isGateway !== true) await this.gateway.adjust(containerId);
  }

  async disconnectAbsent(reference: string, networkId: string): Promise<void> {
    const record = this.store
      .endpointsOn(networkId)
      .find(({ containerId, containerName }) => containerId === reference || containerName === reference);
    if (record === undefined) throw notFound(`endpoint ${reference} not found`);
    await this.joinedNetworks.release([networkId], () => this.removeEndpoint.remove(record));
  }
}
