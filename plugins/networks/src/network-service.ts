import type { NetworkDriver, SandboxDriver } from '@gantry/core/contracts';
import type { DriverSet, Logger } from '@gantry/core/driver';
import { EngineError, messageOf, notFound } from '@gantry/core/errors';
import { type Addresses, toSpec } from './addresses.js';
import type { EndpointRecord, NetworkRecord } from './records.js';
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

export interface StoredNetworkParts {
  readonly store: NetworkStore;
  readonly drivers: DriverSet<NetworkDriver>;
  readonly sandboxDriver: SandboxDriver;
  readonly addresses: Addresses;
  readonly sandboxes: Sandboxes;
  readonly resolvers: Resolvers;
  readonly log: Logger;
}

/** What other areas get of networks. */
export class StoredNetworks implements NetworkService {
  #containers: NetworkContainers | undefined;

  constructor(private readonly parts: StoredNetworkParts) {}

  get(reference: string): Network {
    return this.#toNetwork(this.parts.store.resolve(reference));
  }

  open(request: SandboxRequest, options?: { readonly signal?: AbortSignal }): Promise<OpenSandbox> {
    return this.parts.sandboxes.open(request, options);
  }

  close(containerId: string): Promise<void> {
    return this.parts.sandboxes.close(containerId);
  }

  async connect(containerId: string, attachment: Attachment): Promise<Endpoint> {
    const { sandboxes, store } = this.parts;
    return toEndpoint(store, await sandboxes.connect(containerId, attachment));
  }

  disconnect(containerId: string, networkId: string): Promise<void> {
    return this.parts.sandboxes.disconnect(containerId, networkId);
  }

  endpointsOf(containerId: string): readonly Endpoint[] {
    const { store } = this.parts;
    return store.endpointsOf(containerId).map((record) => toEndpoint(store, record));
  }

  async restore(live: readonly string[]): Promise<void> {
    const { drivers, resolvers, sandboxDriver, store } = this.parts;
    const living = new Set(live);
    const gone = [...store.endpoints()].filter(
      ({ containerId, joined, networkId }) => !living.has(containerId) || !joined || !store.network(networkId),
    );
    const goneSandboxes = [...store.sandboxes()].map(({ containerId }) => containerId).filter((id) => !living.has(id));
    if (gone.length > 0 || goneSandboxes.length > 0) {
      await this.#attempt('what ended containers had', () =>
        store.change({ removeEndpoints: gone.map(({ id }) => id), removeSandboxes: goneSandboxes }),
      );
    }
    // Also when the disk takes nothing, and they are still on record.
    const isKept = ({ containerId }: EndpointRecord): boolean => living.has(containerId);
    for (const endpoint of [...store.endpoints()].filter(isKept))
      await this.#attempt(endpoint.id, () => this.#takeAddresses(endpoint));
    for (const [id, driver] of drivers.entries())
      await this.#attempt(id, () => this.#restoreDriver(id, driver, isKept));
    for (const id of await sandboxDriver.list()) {
      if (!living.has(id)) await this.#attempt(id, () => sandboxDriver.remove(id));
    }
    const resolving = [...store.sandboxes()].filter(({ containerId, resolver }) => resolver && living.has(containerId));
    await resolvers.restore(resolving.map(({ containerId }) => containerId));
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

  async renamed(containerId: string, name: string): Promise<void> {
    const { store } = this.parts;
    const sandbox = store.sandbox(containerId);
    const endpoints = store.endpointsOf(containerId).map((endpoint) => ({ ...endpoint, containerName: name }));
    if (sandbox === undefined && endpoints.length === 0) return;
    await store.change({
      endpoints,
      ...(sandbox !== undefined && { sandboxes: [{ ...sandbox, containerName: name }] }),
    });
  }

  /** One thing that cannot be restored is reported, and keeps the daemon from nothing else. */
  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.log.error({ event: 'network.not-restored', what, reason: messageOf(error) }, 'not restored');
    }
  }

  async #takeAddresses({ networkId, request }: EndpointRecord): Promise<void> {
    const network = this.parts.store.network(networkId);
    if (network === undefined) return;
    for (const address of [request.ipv4, request.ipv6]) {
      if (address === undefined) continue;
      await this.parts.addresses.request(network, address.includes(':'), address.replace(/\/\d+$/, ''));
    }
  }

  async #restoreDriver(
    id: string,
    driver: NetworkDriver,
    isKept: (endpoint: EndpointRecord) => boolean,
  ): Promise<void> {
    const { sandboxDriver, store } = this.parts;
    const networks = [...store.networks()].filter((network) => network.driver === id);
    const endpoints = networks.flatMap((network) => store.endpointsOn(network.id)).filter(isKept);
    const restored = [];
    for (const { containerId, joined, request } of endpoints) {
      const sandbox = driver.capabilities.hostStack ? sandboxDriver.host : await sandboxDriver.get(containerId);
      if (sandbox !== undefined && joined !== undefined) restored.push({ request: { ...request, sandbox }, joined });
    }
    await driver.restore(networks.map(toSpec), restored);
  }

  #toNetwork({ id, name, driver, predefined }: NetworkRecord): Network {
    const { capabilities } = this.parts.drivers.get(driver);
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
