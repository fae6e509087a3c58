import { type NetworkDriver, NetworkDrivers, type SandboxDriver, SandboxDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { AddressPools } from '../addresses/address-pools.js';
import { Resolvers } from '../resolver/resolvers.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord } from '../store/records.js';
import { restoreDriver } from './restore-driver.js';

/** The second step after a restart, once the running containers are known. See `SandboxService.restore`. */
@injectable()
export class RestoreEndpoints {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>,
    @inject(SandboxDrivers.token) private readonly sandboxes: DriverSet<SandboxDriver>,
    @inject(AddressPools) private readonly addressPools: AddressPools,
    @inject(Resolvers) private readonly resolvers: Resolvers,
    @inject(Logger) private readonly log: Logger,
  ) {}

  async restore(runningIds: readonly string[]): Promise<void> {
    const running = new Set(runningIds);
    const stale = this.#staleEndpoints(running);
    const idle = this.#idleNetworks(stale);
    await this.#attempt('records of exited containers', () => this.#removeStaleRecords(running, stale, idle));
    // Filtered again, because the records are still there when they could not be deleted.
    const kept = [...this.store.endpoints()].filter(({ containerId }) => running.has(containerId));
    for (const endpoint of kept) await this.#attempt(endpoint.id, () => this.#reserveAddresses(endpoint));
    for (const [id, driver] of this.drivers.entries()) {
      await this.#attempt(id, () => restoreDriver(id, driver, kept, { store: this.store, sandboxes: this.sandboxes }));
    }
    for (const network of idle) await this.#attempt(network.id, () => this.#removeIdle(network));
    const sandboxDriver = this.sandboxes.get();
    for (const id of await sandboxDriver.list()) {
      if (!running.has(id)) await this.#attempt(id, () => sandboxDriver.remove(id));
    }
    const resolving = [...this.store.sandboxes()].filter((sandbox) => sandbox.resolver);
    await this.resolvers.restore(resolving.map(({ containerId }) => containerId).filter((id) => running.has(id)));
  }

  /** A step that fails is logged and does not stop the others. */
  async #attempt(what: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      const facts = { event: 'network.restore-failed', what, error };
      this.log.error(facts, 'failed to restore part of the networks');
    }
  }

  #staleEndpoints(running: ReadonlySet<string>): readonly EndpointRecord[] {
    return [...this.store.endpoints()].filter(
      ({ containerId, joined, networkId }) => !running.has(containerId) || !joined || !this.store.network(networkId),
    );
  }

  /** Networks of the swarm exist here while an endpoint is on them. */
  #idleNetworks(stale: readonly EndpointRecord[]): readonly IdleNetwork[] {
    const leaving = new Set(stale.map(({ id }) => id));
    return [...this.store.ownNetworks()]
      .filter(
        ({ id, swarm }) => swarm !== undefined && this.store.endpointsOn(id).every((each) => leaving.has(each.id)),
      )
      .map(({ driver, id }) => ({
        id,
        driver,
        endpointIds: this.store.endpointsOn(id).map((endpoint) => endpoint.id),
      }));
  }

  /** A plugin is another process, which the crash of the daemon did not stop: it has the network still. */
  async #removeIdle({ driver: name, endpointIds, id }: IdleNetwork): Promise<void> {
    const driver = this.drivers.get(name);
    for (const endpointId of endpointIds) await driver.leave(id, endpointId);
    await driver.removeNetwork(id);
  }

  async #removeStaleRecords(
    running: ReadonlySet<string>,
    endpoints: readonly EndpointRecord[],
    idle: readonly IdleNetwork[],
  ): Promise<void> {
    const sandboxes = [...this.store.sandboxes()].filter(({ containerId }) => !running.has(containerId));
    if (endpoints.length + sandboxes.length + idle.length === 0) return;
    await this.store.change({
      removeNetworks: idle.map(({ id }) => id),
      removeEndpoints: endpoints.map(({ id }) => id),
      removeSandboxes: sandboxes.map(({ containerId }) => containerId),
    });
  }

  async #reserveAddresses({ networkId, request }: EndpointRecord): Promise<void> {
    const network = this.store.network(networkId);
    if (network === undefined || network.swarm !== undefined) return;
    for (const address of [request.ipv4, request.ipv6]) {
      if (address === undefined) continue;
      await this.addressPools.allocate(network, address.includes(':'), address.replace(/\/\d+$/, ''));
    }
  }
}

/** A network of the swarm that nothing on this node is on any more. */
interface IdleNetwork {
  readonly id: string;
  readonly driver: string;
  readonly endpointIds: readonly string[];
}
