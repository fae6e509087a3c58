import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkSpec,
  RestoredEndpoint,
} from '@gantry/core/contracts';
import { forbidden, notFound } from '@gantry/core/errors';

const nothing: JoinedEndpoint = { macAddress: '', ports: [] };

/** Containers in the host's own network stack: there is nothing to connect, and their ports are the host's. */
export class HostNetworks implements NetworkDriver {
  readonly capabilities: NetworkCapabilities = {
    scope: 'local',
    userDefined: false,
    addresses: false,
    publish: false,
    hostStack: true,
  };
  /** Who is on each network, by ids. */
  readonly #networks = new Map<string, Set<string>>();

  /** Every option is let through: none means anything here. */
  validate(): void {}

  async createNetwork({ id }: NetworkSpec): Promise<void> {
    if (!this.#networks.has(id)) this.#networks.set(id, new Set());
  }

  async removeNetwork(id: string): Promise<void> {
    if ((this.#networks.get(id)?.size ?? 0) > 0) {
      throw forbidden(`error while removing network: network host id ${id} has active endpoints`);
    }
    this.#networks.delete(id);
  }

  async join(request: JoinRequest, options: { readonly signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    options.signal?.throwIfAborted();
    const endpoints = this.#networks.get(request.networkId);
    if (endpoints === undefined) throw notFound(`network ${request.networkId} not found`);
    endpoints.add(request.endpointId);
    return nothing;
  }

  async leave(networkId: string, endpointId: string): Promise<void> {
    this.#networks.get(networkId)?.delete(endpointId);
  }

  async restore(networks: readonly NetworkSpec[], endpoints: readonly RestoredEndpoint[]): Promise<void> {
    this.#networks.clear();
    for (const network of networks) await this.createNetwork(network);
    for (const { request } of endpoints) this.#networks.get(request.networkId)?.add(request.endpointId);
  }
}
