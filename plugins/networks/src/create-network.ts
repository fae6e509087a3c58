import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { NetworkDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import type { DriverSet, Logger } from '@gantry/core/driver';
import { conflict, forbidden, invalidArgument, messageOf, notFound } from '@gantry/core/errors';
import type { EngineEvents } from '@gantry/core/plugin';
import { type Addresses, type PoolWish, toSpec } from './addresses.js';
import type { NetworkRecord } from './records.js';
import type { NetworkStore } from './store.js';

/** Spec: POST /networks/create. */
export interface CreateNetworkRequest {
  readonly name: string;
  readonly driver: string;
  readonly checkDuplicate: boolean;
  readonly internal: boolean;
  readonly ipv6: boolean;
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly ipam: NetworkRecord['ipam'];
  readonly pools: readonly PoolWish[];
}

/** How long a removal waits for containers that have ended, in milliseconds. */
const leavingPatience = 5000;

/** `default` is what containers call the network they get unasked. */
const predefinedNames: readonly string[] = ['bridge', 'host', 'none', 'default'];

/** Makes and removes networks. */
export class Networks {
  constructor(
    private readonly store: NetworkStore,
    private readonly drivers: DriverSet<NetworkDriver>,
    private readonly addresses: Addresses,
    private readonly events: EngineEvents,
    private readonly log: Logger,
    /** Whether a container runs, as far as anybody knows. */
    private readonly isRunning: (containerId: string) => boolean,
  ) {}

  /**
   * Rejects `forbidden` for a pre-defined name or driver, `conflict` for a taken name, `not-found` for an unknown
   * driver, `invalid-argument`; then nothing is left.
   */
  async create(request: CreateNetworkRequest): Promise<{ readonly id: string; readonly warning: string }> {
    const { name } = request;
    if (name.trim() === '') throw invalidArgument('Name: a network needs a name');
    if (predefinedNames.includes(name)) throw forbidden(`operation is not permitted on predefined ${name} network`);
    if (!this.drivers.has(request.driver)) throw notFound(`plugin "${request.driver}" not found`);
    const driver = this.drivers.get(request.driver);
    if (!driver.capabilities.userDefined) {
      throw forbidden(`only one instance of "${request.driver}" network is allowed`);
    }
    const [namesake] = this.store.byName(name);
    if (request.checkDuplicate && namesake !== undefined) throw conflict(`network with name ${name} already exists`);
    const warning = namesake === undefined ? '' : `Network with name ${name} (id : ${namesake.id}) already exists`;
    return { id: (await this.make(request, false)).id, warning };
  }

  /** Makes a network without asking whether users may. */
  async make(request: CreateNetworkRequest, predefined: boolean): Promise<NetworkRecord> {
    const driver = this.drivers.get(request.driver);
    const { name, internal, ipv6, options, labels } = request;
    const ipam = { ...request.ipam, driver: this.addresses.idOf(request.ipam.driver) };
    const id = randomBytes(32).toString('hex');
    const base = {
      id,
      name,
      createdAt: new Date().toISOString(),
      driver: this.drivers.idOf(request.driver),
      options,
      labels,
      internal,
      ipv6,
      predefined,
      ipam,
    };
    driver.validate(toSpec({ ...base, pools: [] }));
    const pools = driver.capabilities.addresses ? await this.addresses.take(id, ipam, wishesOf(request)) : [];
    const network: NetworkRecord = { ...base, pools };
    try {
      await this.store.change({ networks: [network] });
      crashPoint('network.create.recorded');
      await driver.createNetwork(toSpec(network));
      crashPoint('network.create.made');
    } catch (error) {
      const undone = await Promise.allSettled([
        driver.removeNetwork(id),
        this.store.change({ removeNetworks: [id] }),
        this.addresses.release(network),
      ]);
      for (const outcome of undone) {
        if (outcome.status === 'fulfilled') continue;
        const facts = { event: 'network.left-over', network: name, reason: messageOf(outcome.reason) };
        this.log.error(facts, 'a network that failed was not undone');
      }
      throw error;
    }
    if (!predefined) this.#publish('create', network);
    return network;
  }

  /**
   * Rejects `not-found`, `forbidden` for a pre-defined network and for one with endpoints. When the driver cannot, the
   * network stays, and removing it can be tried again.
   */
  async remove(reference: string): Promise<void> {
    const network = this.store.resolve(reference);
    const { id, name } = network;
    if (network.predefined) throw forbidden(`${name} is a pre-defined network and cannot be removed`);
    await this.#untilEndedOnesLeft(id);
    if (this.store.endpointsOn(id).length > 0) {
      throw forbidden(`error while removing network: network ${name} id ${id} has active endpoints`);
    }
    // First out of the books: nothing can join any more, and a crash leaves what the next start takes down.
    await this.store.change({ removeNetworks: [id] });
    crashPoint('network.remove.recorded');
    try {
      await this.drivers.get(network.driver).removeNetwork(id);
    } catch (error) {
      await this.store.change({ networks: [network] });
      throw error;
    }
    crashPoint('network.remove.taken-down');
    await this.addresses.release(network);
    this.#publish('destroy', network);
  }

  /**
   * A container that has ended leaves its networks a moment after its end is told: a client that waited for the end
   * may remove the network then.
   */
  async #untilEndedOnesLeft(networkId: string): Promise<void> {
    const deadline = Date.now() + leavingPatience;
    const isLeaving = (): boolean => {
      const endpoints = this.store.endpointsOn(networkId);
      return endpoints.length > 0 && endpoints.every(({ containerId }) => !this.isRunning(containerId));
    };
    while (isLeaving() && Date.now() < deadline) await delay(10);
  }

  #publish(action: string, { id, name, driver }: NetworkRecord): void {
    this.events.publish({ type: 'network', action, actor: { id, attributes: { name, type: driver } } });
  }
}

/** With no subnet asked for, the address manager chooses one for each family. IPv4 comes first. */
function wishesOf({ pools, ipv6 }: CreateNetworkRequest): readonly PoolWish[] {
  const wishes = [...pools].sort((one, other) => Number(one.ipv6) - Number(other.ipv6));
  if (!wishes.some((wish) => !wish.ipv6)) wishes.unshift({ auxiliary: {}, ipv6: false });
  if (ipv6 && !wishes.some((wish) => wish.ipv6)) wishes.push({ auxiliary: {}, ipv6: true });
  return wishes;
}
