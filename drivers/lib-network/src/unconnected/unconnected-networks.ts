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

const nothing: JoinedEndpoint = { macAddress: '', ports: [] };

/** Networks that connect nothing: only who is on them is counted, so that they are not removed under anybody. */
export class UnconnectedNetworks implements NetworkDriver {
  readonly capabilities: NetworkCapabilities;
  /** Who is on each network, by ids. */
  readonly #networks = new Map<string, Set<string>>();

  /** @param name in the words of errors, such as `host`. @param hostStack containers on it use the host's own stack. */
  constructor(
    private readonly name: string,
    { hostStack }: Pick<NetworkCapabilities, 'hostStack'>,
  ) {
    this.capabilities = { scope: 'local', userDefined: false, addresses: false, publish: false, hostStack };
  }

  /** Every option is let through: none means anything here. */
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
