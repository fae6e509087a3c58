import { inject, injectable, Logger } from '@gantry/core/driver';
import { EndpointService, NetworkService } from '@gantry/networks/service';
import type { Container } from '../container.js';
import { HostsFiles } from '../sandbox/hosts-files.js';
import { findNetwork } from './check-membership.js';

/** Endpoints of running containers that are not on their records: a daemon was killed during a connect or disconnect. */
@injectable()
export class UnrecordedEndpoints {
  constructor(
    @inject(NetworkService.token) private readonly networks: Pick<NetworkService, 'get'>,
    @inject(EndpointService.token) private readonly endpoints: Pick<EndpointService, 'endpointsOf' | 'disconnect'>,
    @inject(HostsFiles) private readonly hostsFiles: HostsFiles,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Leaves their networks. Never rejects: what fails is logged. */
  async leave(container: Container): Promise<void> {
    const recorded = Object.entries(container.record.networks).map(
      ([name, { networkId }]) => networkId ?? findNetwork(this.networks, name)?.id,
    );
    if (recorded.includes(undefined)) return;
    for (const endpoint of this.endpoints.endpointsOf(container.id)) {
      if (endpoint.isGateway || recorded.includes(endpoint.networkId)) continue;
      try {
        await container.networkMutex.run(() => this.endpoints.disconnect(container.id, endpoint.networkId));
        await this.hostsFiles.removeEndpoint(container.record, endpoint);
      } catch (error) {
        const facts = { event: 'container.endpoint-kept', container: container.id, network: endpoint.networkName };
        this.log.error({ ...facts, error }, 'failed to leave a network that is not on record');
      }
    }
  }
}
