import { setTimeout as delay } from 'node:timers/promises';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { forbidden, notFound } from '@gantry/core/errors';
import { AddressPools } from '../addresses/address-pools.js';
import { NetworkStore } from '../store/network-store.js';
import type { NetworkRecord } from '../store/records.js';
import { AttachedContainers } from './attached-containers.js';
import { DriverOfNetwork } from './driver-of-network.js';
import { NetworkEvents } from './network-events.js';
import { NetworkNameLock } from './network-name-lock.js';
import { predefinedNames } from './predefined-names.js';

/** How long a removal waits for exited containers to leave the network, in milliseconds. */
const leaveTimeout = 5000;

/** Removes a network for a client. */
@injectable()
export class RemoveNetwork {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(AddressPools) private readonly addressPools: AddressPools,
    @inject(AttachedContainers) private readonly containers: AttachedContainers,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
    @inject(NetworkNameLock) private readonly nameLock: NetworkNameLock,
  ) {}

  /**
   * Rejects `not-found`, `forbidden` for a pre-defined network, one with endpoints and one whose settings others took. When the driver fails, the
   * network stays, and the removal can be retried.
   */
  async remove(reference: string): Promise<void> {
    const network = this.store.resolve(reference);
    const { id, name } = network;
    if (predefinedNames.includes(name)) throw forbidden(`${name} is a pre-defined network and cannot be removed`);
    await this.#waitForExitedContainers(id);
    if (network.swarm !== undefined) return this.store.swarm.remove(network);
    await this.nameLock.run(name, () =>
      this.driverOf.asOneCall([network], 'removing a network', () => this.#remove(network, reference)),
    );
  }

  async #remove(network: NetworkRecord, reference: string): Promise<void> {
    const { id, name } = network;
    // Another client may have removed it while this one waited.
    if (this.store.network(id) === undefined) throw notFound(`network ${reference} not found`);
    if (this.store.endpointsOn(id).length > 0) {
      throw forbidden(`error while removing network: network ${name} id ${id} has active endpoints`);
    }
    if (network.configuration !== undefined) return this.#removeConfiguration(network);
    // The record goes first: nothing can join any more, and after a crash the driver's restore removes the rest.
    await this.store.change({ removeNetworks: [id] });
    crashPoint('network.remove.recorded');
    try {
      await this.driverOf.get(network).removeNetwork(id);
    } catch (error) {
      await this.store.change({ networks: [network] });
      throw error;
    }
    crashPoint('network.remove.taken-down');
    await this.addressPools.release(network);
    this.events.publish('destroy', network);
  }

  async #removeConfiguration(network: NetworkRecord): Promise<void> {
    const { id, name } = network;
    if ([...this.store.networks()].some(({ configFrom }) => configFrom === name)) {
      throw forbidden(`error while removing network: configuration network "${name}" is in use`);
    }
    await this.store.change({ removeNetworks: [id] });
    this.events.publish('destroy', network);
  }

  /**
   * An exited container leaves its networks a moment after its exit is published: a client that waited for the exit
   * may remove the network at once.
   */
  async #waitForExitedContainers(networkId: string): Promise<void> {
    const deadline = Date.now() + leaveTimeout;
    const isLeaving = (): boolean => {
      const endpoints = this.store.endpointsOn(networkId);
      return endpoints.length > 0 && endpoints.every(({ containerId }) => !this.containers.isRunning(containerId));
    };
    while (isLeaving() && Date.now() < deadline) await delay(10);
  }
}
