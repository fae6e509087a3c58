import { isDeepStrictEqual } from 'node:util';
import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { type DriverSet, inject, injectable, KeyedMutex, Logger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { toSpec } from '../addresses/address-pools.js';
import type { SwarmNetworkState } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import type { NetworkRecord } from '../store/records.js';
import { SwarmSources } from '../store/swarm-sources.js';

/** Networks of the swarm on this node: each exists here exactly while an endpoint is on it, or joining it. */
@injectable()
export class JoinedNetworks {
  readonly #mutex = new KeyedMutex();
  /** How many operations hold a network, by id. */
  readonly #holds = new Map<string, number>();

  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>,
    @inject(SwarmSources) private readonly swarm: SwarmSources,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * Creates the networks of the swarm among these, and removes those again that no endpoint is on after the work. Resolves when
   * their drivers have the endpoints of other nodes.
   */
  async hold<T>(networkIds: readonly string[], work: () => Promise<T>): Promise<T> {
    const ids = [...new Set(networkIds)].filter((id) => this.store.network(id)?.swarm !== undefined);
    for (const id of ids) this.#holds.set(id, (this.#holds.get(id) ?? 0) + 1);
    try {
      for (const id of ids) await this.#mutex.run(id, () => this.#ensure(id));
      const result = await work();
      // What has changed meanwhile reached only networks that had an endpoint already.
      for (const id of ids) await this.update(id);
      return result;
    } finally {
      for (const id of ids) {
        this.#holds.set(id, (this.#holds.get(id) ?? 1) - 1);
        await this.#releaseIdle(id);
      }
    }
  }

  /** Removes those of these that no endpoint is on after the work. */
  async release<T>(networkIds: readonly string[], work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      for (const id of networkIds) if (this.store.ownNetwork(id)?.swarm !== undefined) await this.#releaseIdle(id);
    }
  }

  /** Gives the driver the endpoints of other nodes. Never rejects: a failure is logged. */
  async update(networkId: string): Promise<void> {
    const network = this.store.ownNetwork(networkId);
    const state = this.swarm.node?.stateOf(networkId);
    if (network?.swarm === undefined || state === undefined) return;
    try {
      await this.#setTunnel(network, state);
      await this.#setPeers(network, state);
    } catch (err) {
      const facts = { event: 'network.peers-not-set', networkId, err };
      this.log.error(facts, 'failed to set the peers of a network');
    }
  }

  async #ensure(id: string): Promise<void> {
    if (this.store.ownNetwork(id) !== undefined) return;
    const record = this.store.resolve(id);
    const state = this.swarm.node?.stateOf(id);
    if (record.swarm === undefined || state === undefined) {
      throw unavailable(`network ${record.name} belongs to a swarm that this engine is not connected with`);
    }
    const driver = await this.drivers.lookup(record.driver); // a plugin that is down for a moment is waited for
    const swarm = { ...record.swarm, tunnel: state.tunnel };
    const network: NetworkRecord = { ...record, driver: this.drivers.idOf(record.driver), swarm };
    driver.validate(toSpec(network));
    await this.store.change({ networks: [network] });
    crashPoint('network.swarm.recorded');
    try {
      await driver.createNetwork(toSpec(network));
      crashPoint('network.swarm.created');
      await this.#setPeers(network, state);
    } catch (error) {
      await this.#remove(network);
      throw error;
    }
  }

  /** The node may have another address than when it joined the network. */
  async #setTunnel(network: NetworkRecord, { tunnel }: SwarmNetworkState): Promise<void> {
    const { swarm } = network;
    if (swarm === undefined || isDeepStrictEqual(swarm.tunnel, tunnel)) return;
    const moved: NetworkRecord = { ...network, swarm: { ...swarm, tunnel } };
    await this.store.change({ networks: [moved] });
    await this.drivers.get(network.driver).createNetwork(toSpec(moved));
  }

  async #setPeers({ driver: id, id: networkId }: NetworkRecord, state: SwarmNetworkState): Promise<void> {
    const driver = this.drivers.get(id);
    if (state.keys !== undefined) await driver.useKeys?.(state.keys);
    await driver.peers?.(networkId, state.peers, state.revision);
  }

  /** A failure is logged; the next start removes what is left. */
  async #releaseIdle(id: string): Promise<void> {
    await this.#mutex.run(id, async () => {
      const network = this.store.ownNetwork(id);
      if ((this.#holds.get(id) ?? 0) > 0) return;
      this.#holds.delete(id);
      if (network === undefined || this.store.endpointsOn(id).length > 0) return;
      try {
        await this.#remove(network);
      } catch (err) {
        this.log.error({ event: 'network.not-removed', networkId: id, err }, 'failed to remove a network of the swarm');
      }
    });
  }

  async #remove(network: NetworkRecord): Promise<void> {
    await this.store.change({ removeNetworks: [network.id] });
    crashPoint('network.swarm.removed');
    await this.drivers.get(network.driver).removeNetwork(network.id);
  }
}
