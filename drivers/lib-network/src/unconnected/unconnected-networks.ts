import type {
  JoinedEndpoint,
  JoinRequest,
  NetworkCapabilities,
  NetworkDriver,
  NetworkSpec,
  RestoredEndpoint,
} from '@gantry/core/contracts';
import { forbidden } from '@gantry/core/errors';
import { networkOf } from '../network-of.js';

const noInterface: JoinedEndpoint = { macAddress: '', ports: [] };

/** Networks without interfaces: only their endpoints are counted, so that a network in use is not removed. */
export class UnconnectedNetworks implements NetworkDriver {
  readonly capabilities: NetworkCapabilities;
  /** Endpoint ids by network id. */
  readonly #networks = new Map<string, Set<string>>();

  /** @param name the network in error messages, such as `host`. @param hostStack containers use the host's network stack. */
  constructor(
    private readonly name: string,
    { hostStack }: Pick<NetworkCapabilities, 'hostStack'>,
  ) {
    this.capabilities = { scope: 'local', userDefined: false, addresses: false, publish: false, hostStack };
  }

  /** Accepts every option: none has a meaning here. */
  validate(): void {}

  async createNetwork({ id }: NetworkSpec): Promise<void> {
    if (!this.#networks.has(id)) this.#networks.set(id, new Set());
  }

  async removeNetwork(id: string): Promise<void> {
    if ((this.#networks.get(id)?.size ?? 0) > 0) {
      throw forbidden(`error while removing network: network ${this.name} id ${id} has active endpoints`);
    }
    this.#networks.delete(id);
  }

  async join(request: JoinRequest, options: { readonly signal?: AbortSignal } = {}): Promise<JoinedEndpoint> {
    options.signal?.throwIfAborted();
    networkOf(this.#networks, request.networkId).add(request.endpointId);
    return noInterface;
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
