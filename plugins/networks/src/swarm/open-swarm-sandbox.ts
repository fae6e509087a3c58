import { inject, injectable } from '@gantry/core/driver';
import type { OpenSandbox, SandboxRequest } from '../service.js';
import { SwarmSources } from '../store/swarm-sources.js';
import { GatewayNetwork } from './gateway-network.js';
import { JoinedNetworks } from './joined-networks.js';

/** Adds to the sandbox of a container what networks of the swarm need. */
@injectable()
export class OpenSwarmSandbox {
  constructor(
    @inject(JoinedNetworks) private readonly joinedNetworks: JoinedNetworks,
    @inject(GatewayNetwork) private readonly gateway: GatewayNetwork,
    @inject(SwarmSources) private readonly swarm: SwarmSources,
  ) {}

  /** Resolves when names and services can be reached, too. */
  async open(request: SandboxRequest, open: (request: SandboxRequest) => Promise<OpenSandbox>): Promise<OpenSandbox> {
    const networkIds = request.attachments.map(({ networkId }) => networkId);
    return this.joinedNetworks.hold(networkIds, async () => {
      const gateway = request.isMesh === true ? undefined : await this.gateway.attachmentFor(networkIds);
      const attachments = gateway === undefined ? request.attachments : [...request.attachments, gateway];
      const sandbox = await open({ ...request, attachments });
      await this.swarm.node?.joined(request.container.id, networkIds);
      return { ...sandbox, endpoints: sandbox.endpoints.filter(({ isGateway }) => !isGateway) };
    });
  }
}
