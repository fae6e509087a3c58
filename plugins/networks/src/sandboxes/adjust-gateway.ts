import { inject, injectable, Logger } from '@gantry/core/driver';
import { RemoveEndpoint } from '../endpoints/remove-endpoint.js';
import { NetworkStore } from '../store/network-store.js';
import { GatewayNetwork } from '../swarm/gateway-network.js';
import { ConnectContainer } from './connect-container.js';

/** Gives a running container its place on the gateway network, or takes it, after its networks have changed. */
@injectable()
export class AdjustGateway {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(GatewayNetwork) private readonly gateway: GatewayNetwork,
    @inject(ConnectContainer) private readonly connectContainer: ConnectContainer,
    @inject(RemoveEndpoint) private readonly removeEndpoint: RemoveEndpoint,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Never rejects: a failure is logged, and the container does not reach the outside. */
  async adjust(containerId: string): Promise<void> {
    try {
      const endpoints = this.store.endpointsOf(containerId);
      const present = endpoints.find(({ isGateway }) => isGateway === true);
      const others = endpoints.filter((endpoint) => endpoint !== present).map(({ networkId }) => networkId);
      const wanted = await this.gateway.attachmentFor(others);
      if (wanted !== undefined && present === undefined) await this.connectContainer.connect(containerId, wanted);
      if (wanted === undefined && present !== undefined) await this.removeEndpoint.remove(present);
    } catch (err) {
      const facts = { event: 'endpoint.gateway-failed', container: containerId, err };
      this.log.error(facts, 'failed to connect a container with the outside');
    }
  }
}
