import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkSpec,
  RestoredEndpoint,
} from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { networkOf } from '@gantry/lib-network';
import { ConnectEndpoint } from './endpoints/connect-endpoint.js';
import { DisconnectEndpoint } from './endpoints/disconnect-endpoint.js';
import { UpdateEndpoint } from './endpoints/update-endpoint.js';
import { NetworkSetup } from './network-setup.js';
import { NetworkTable } from './network-table.js';
import { checkBridgeOptions } from './options/parse-bridge-options.js';
import { RestoreNetworks } from './recovery/restore-networks.js';

/**
 * Networks as bridges of the host. Every change but the deletion of links is synchronous: no call sees another one
 * half done.
 */
@injectable()
export class BridgeNetworks implements NetworkDriver {
  readonly capabilities: NetworkCapabilities = {
    scope: 'local',
    userDefined: true,
    addresses: true,
    publish: true,
    hostStack: false,
    firewall: 'nftables',
  };

  /** Networks whose bridges the kernel is still deleting. */
  readonly #removing = new Map<string, Promise<void>>();

  constructor(
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(NetworkSetup) private readonly setup: NetworkSetup,
    @inject(ConnectEndpoint) private readonly connectEndpoint: ConnectEndpoint,
    @inject(UpdateEndpoint) private readonly updateEndpoint: UpdateEndpoint,
    @inject(DisconnectEndpoint) private readonly disconnectEndpoint: DisconnectEndpoint,
    @inject(RestoreNetworks) private readonly restoreNetworks: RestoreNetworks,
  ) {}

  validate(network: NetworkSpec): void {
    checkBridgeOptions(network.options);
  }

  async createNetwork(spec: NetworkSpec): Promise<void> {
    await Promise.allSettled(this.#removing.values());
    if (this.networks.has(spec.id)) return;
    const network = this.setup.describe(spec, this.networks.values());
    await this.setup.create(network);
    this.networks.set(spec.id, network);
  }

  async removeNetwork(networkId: string): Promise<void> {
    const network = this.networks.get(networkId);
    if (network === undefined) return this.#removing.get(networkId);
    network.refuseRemovalInUse();
    this.networks.delete(networkId);
    const removed = this.setup.remove(network).finally(() => this.#removing.delete(networkId));
    this.#removing.set(networkId, removed);
    await removed;
  }

  async join(request: JoinRequest, { signal }: { readonly signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    signal?.throwIfAborted();
    const { networkId, endpointId } = request;
    await this.networks.get(networkId)?.leaving.get(endpointId);
    const network = networkOf(this.networks, networkId);
    const known = network.endpoints.get(endpointId);
    return known === undefined
      ? this.connectEndpoint.connect(network, request)
      : this.updateEndpoint.update(network, known, request);
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    const network = this.networks.get(networkId);
    const endpoint = network?.endpoints.get(endpointId);
    if (network === undefined || endpoint === undefined) return network?.leaving.get(endpointId);
    await this.disconnectEndpoint.disconnect(network, endpoint);
  }

  restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    return this.restoreNetworks.restore(networks, endpoints);
  }
}
