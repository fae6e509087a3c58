import type { NetworkDriver, SandboxDriver } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import { EngineError, notFound } from '@gantry/core/errors';
import { type Addresses, toSpec } from './addresses.js';
import type { NetworkRecord } from './records.js';
import type { Resolvers } from './resolver/resolvers.js';
import type { Sandboxes } from './sandboxes.js';
import type {
  Attachment,
  Endpoint,
  Network,
  NetworkContainers,
  NetworkService,
  OpenSandbox,
  SandboxRequest,
} from './service.js';
import type { NetworkStore } from './store.js';
import { toEndpoint } from './to-endpoint.js';

/** What other areas get of networks. */
export class StoredNetworks implements NetworkService {
  #containers: NetworkContainers | undefined;

  constructor(
    private readonly store: NetworkStore,
    private readonly drivers: DriverSet<NetworkDriver>,
    private readonly sandboxDriver: SandboxDriver,
    private readonly addresses: Addresses,
    private readonly sandboxes: Sandboxes,
    private readonly resolvers: Resolvers,
  ) {}

  get(reference: string): Network {
    return this.#toNetwork(this.store.resolve(reference));
  }

  open(request: SandboxRequest, options?: { readonly signal?: AbortSignal }): Promise<OpenSandbox> {
    return this.sandboxes.open(request, options);
  }

  close(containerId: string): Promise<void> {
    return this.sandboxes.close(containerId);
  }

  async connect(containerId: string, attachment: Attachment): Promise<Endpoint> {
    return toEndpoint(this.store, await this.sandboxes.connect(containerId, attachment));
  }

  disconnect(containerId: string, networkId: string): Promise<void> {
    return this.sandboxes.disconnect(containerId, networkId);
  }

  endpointsOf(containerId: string): readonly Endpoint[] {
    return this.store.endpointsOf(containerId).map((record) => toEndpoint(this.store, record));
  }

  async restore(live: readonly string[]): Promise<void> {
    const living = new Set(live);
    const gone = [...this.store.endpoints()].filter(({ containerId, joined }) => !living.has(containerId) || !joined);
    const goneSandboxes = [...this.store.sandboxes()]
      .map(({ containerId }) => containerId)
      .filter((id) => !living.has(id));
    await this.store.change({ removeEndpoints: gone.map(({ id }) => id), removeSandboxes: goneSandboxes });
    for (const { networkId, request } of this.store.endpoints()) {
      const network = this.store.network(networkId);
      if (network === undefined) continue;
      for (const address of [request.ipv4, request.ipv6]) {
        if (address === undefined) continue;
        await this.addresses.request(network, address.includes(':'), address.replace(/\/\d+$/, ''));
      }
    }
    for (const [id, driver] of this.drivers.entries()) await this.#restoreDriver(id, driver);
    for (const id of await this.sandboxDriver.list()) if (!living.has(id)) await this.sandboxDriver.remove(id);
    const resolving = [...this.store.sandboxes()].filter(({ resolver }) => resolver);
    await this.resolvers.restore(resolving.map(({ containerId }) => containerId));
  }

  addContainers(containers: NetworkContainers): () => void {
    this.#containers = containers;
    return () => {
      if (this.#containers === containers) this.#containers = undefined;
    };
  }

  /** @throws EngineError `not-found` when no package runs containers. */
  get containers(): NetworkContainers {
    if (this.#containers === undefined) throw notFound('No such container: this engine runs none');
    return this.#containers;
  }

  /** Whether a container runs; one nobody knows does not. */
  isRunning(containerId: string): boolean {
    try {
      return this.#containers?.resolve(containerId).running ?? false;
    } catch (error) {
      if (EngineError.is(error) && error.kind === 'not-found') return false;
      throw error;
    }
  }

  async #restoreDriver(id: string, driver: NetworkDriver): Promise<void> {
    const networks = [...this.store.networks()].filter((network) => network.driver === id);
    const endpoints = networks.flatMap((network) => this.store.endpointsOn(network.id));
    const restored = [];
    for (const { containerId, joined, request } of endpoints) {
      const sandbox = await this.sandboxDriver.get(containerId);
      if (sandbox !== undefined && joined !== undefined) restored.push({ request: { ...request, sandbox }, joined });
    }
    await driver.restore(networks.map(toSpec), restored);
  }

  #toNetwork({ id, name, driver, predefined }: NetworkRecord): Network {
    const { capabilities } = this.drivers.get(driver);
    return {
      id,
      name,
      driver,
      scope: capabilities.scope,
      predefined,
      hostStack: capabilities.hostStack,
      userDefined: !predefined && capabilities.addresses,
    };
  }
}
