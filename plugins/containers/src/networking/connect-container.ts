import { inject, injectable } from '@gantry/core/driver';
import { EndpointService, type EndpointSettings, type Network, NetworkService } from '@gantry/networks/service';
import { checkEndpoint, refuseChoices } from '../configuration/network/choose-networks.js';
import type { Container } from '../container.js';
import type { ContainerRecord } from '../record.js';
import { HostsFiles } from '../sandbox/hosts-files.js';
import { portRequests } from '../sandbox/port-requests.js';
import { ResolverFiles } from '../sandbox/resolver-files.js';
import { attachmentTo, exposedBy, withOwnNames } from '../sandbox/sandbox-request.js';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';
import { checkMembership } from './check-membership.js';

/** Spec: POST /networks/(id)/connect. */
@injectable()
export class ConnectContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(NetworkService.token) private readonly networks: Pick<NetworkService, 'get'>,
    @inject(EndpointService.token) private readonly endpoints: Pick<EndpointService, 'connect' | 'disconnect'>,
    @inject(HostsFiles) private readonly hostsFiles: HostsFiles,
    @inject(ResolverFiles) private readonly resolverFiles: ResolverFiles,
  ) {}

  connect(reference: string, networkId: string, endpoint: EndpointSettings): Promise<void> {
    const container = this.store.get(reference);
    return container.mutex.run(() => this.#connect(container, networkId, endpoint));
  }

  async #connect(container: Container, networkId: string, endpoint: EndpointSettings): Promise<void> {
    const network = this.networks.get(networkId);
    checkEndpoint(endpoint);
    checkMembership(container.record, this.networks, networkId);
    if (!network.userDefined) refuseChoices(endpoint);
    const settings = { ...withNames(endpoint, container.record, network), networkId };
    if (isAlive(container.record.state)) await this.#join(container, network, settings);
    else await record(container, network.name, settings);
  }

  async #join(
    container: Container,
    network: Network,
    settings: EndpointSettings & { readonly networkId: string },
  ): Promise<void> {
    const { id, record: current } = container;
    const attachment = {
      ...attachmentTo(network.name, settings, current, this.networks),
      exposedPorts: exposedBy(current),
      ports: portRequests(current.hostConfig, current.config.ExposedPorts),
    };
    const joined = await container.networkMutex.run(() => this.endpoints.connect(id, attachment));
    try {
      await record(container, network.name, settings);
    } catch (error) {
      await container.networkMutex.run(() => this.endpoints.disconnect(id, network.id));
      throw error;
    }
    await this.hostsFiles.addEndpoint(container.record, joined);
    if (network.userDefined) await this.resolverFiles.useEmbeddedResolver(id);
  }
}

async function record(
  container: Container,
  name: string,
  settings: EndpointSettings & { readonly networkId: string },
): Promise<void> {
  await container.change((current) => ({ ...current, networks: { ...current.networks, [name]: settings } }));
}

/** The aliases also show while the container does not run. */
const withNames = (endpoint: EndpointSettings, own: ContainerRecord, { userDefined }: Network): EndpointSettings =>
  userDefined ? { ...endpoint, Aliases: withOwnNames(endpoint.Aliases, own) } : endpoint;
