import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ClusterService, type ManagerSession } from '@gantry/cluster/service';
import {
  type ClusterRecord,
  type ClusterStore,
  type NetworkDriver,
  NetworkDrivers,
  type NetworkSpec,
  TransactionConflict,
  updateRecord,
} from '@gantry/core/contracts';
import {
  asOneCall,
  type DriverLifecycle,
  type DriverSet,
  inject,
  injectable,
  Lifetime,
  Logger,
  type ReplacedDriver,
} from '@gantry/core/driver';
import { internal, notFound } from '@gantry/core/errors';
import { type ClusterNetwork, networkKind } from './network-kind.js';

type NetworkRecord = ClusterRecord<ClusterNetwork>;
type Allocating = NetworkDriver & Required<Pick<NetworkDriver, 'allocateNetwork' | 'freeNetwork'>>;

/** Milliseconds between attempts to allocate networks whose driver is unavailable. */
const retryDelay = 2_000;

const allocates = (driver: NetworkDriver): driver is Allocating => driver.capabilities.allocates === true;

/** What drivers allocate for networks of the swarm, on the manager that leads. */
@injectable()
export class NetworkAllocations implements DriverLifecycle {
  /** The driver that has allocated a network, by the network's id: a plugin that has just joined knows none. */
  readonly #allocated = new Map<string, NetworkDriver>();
  /** Called when a driver may have to be asked again. */
  readonly #listeners = new Set<() => void>();

  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** The driver of a network to be. Rejects `not-found` in the words that clients know. */
  lookup(name: string): Promise<NetworkDriver> {
    return this.drivers.lookup(name).catch((cause: unknown) => {
      throw notFound(`plugin "${name}" not found`, { cause });
    });
  }

  /** Has the driver of a stored network allocate it, and stores what nodes are to create it with. Rejects as the driver. */
  async allocate(store: ClusterStore, id: string): Promise<void> {
    const driver = await this.lookup(recordOf(store, id).value.driver);
    if (!allocates(driver)) return;
    await asOneCall([driver], 'allocating a network', () => this.#allocate(store, id, driver));
  }

  /**
   * Has the driver of a network free it, and `deleteRecord` delete it; when that rejects, the network is allocated again. A
   * network whose plugin is gone can be removed.
   */
  async free(store: ClusterStore, { id, value }: NetworkRecord, deleteRecord: () => Promise<void>): Promise<void> {
    const { driver: name, driverOptions } = value;
    if (driverOptions === undefined) return deleteRecord(); // its driver allocates nothing
    const driver = this.drivers.has(name) ? this.drivers.get(name) : undefined;
    await asOneCall(driver === undefined ? [] : [driver], 'freeing a network', async () => {
      try {
        await this.drivers.get(name).freeNetwork?.(id);
      } catch (err) {
        this.log.warn({ event: 'networks.not-freed', networkId: id, driver: name, err }, 'failed to free a network');
      }
      try {
        await deleteRecord();
      } catch (error) {
        // It is there still: with what its driver had allocated.
        if (driver !== undefined && allocates(driver)) await this.#allocate(store, id, driver);
        throw error;
      }
      this.#allocated.delete(id);
    });
  }

  /** Allocates the networks that there are, for drivers that were not asked by this manager, while it leads. */
  async start(): Promise<void> {
    this.lifetime.add(this.cluster.whileManager((session) => this.#run(session)));
  }

  /** Another version of a driver knows nothing that the older one has allocated. */
  async driverReplaced({ name }: ReplacedDriver): Promise<void> {
    const [kind, driverId = ''] = name.split('/');
    if (kind !== 'network' || !this.drivers.has(driverId)) return;
    // Users of a driver keep the same object.
    const replaced = this.drivers.get(driverId);
    for (const [id, driver] of this.#allocated) if (driver === replaced) this.#allocated.delete(id);
    for (const listener of [...this.#listeners]) listener();
  }

  async #run({ signal, store }: ManagerSession): Promise<void> {
    this.#allocated.clear();
    while (!signal.aborted) {
      const changed = new AbortController();
      const listener = (): void => changed.abort();
      this.#listeners.add(listener);
      const end = this.drivers.onChange?.(listener);
      try {
        const isComplete = await this.#allocateAll(store, signal);
        const wait = AbortSignal.any([signal, changed.signal]);
        await delay(isComplete ? 2 ** 31 - 1 : retryDelay, undefined, { signal: wait, ref: false });
      } catch {
        // The drivers have changed, or the session has ended.
      } finally {
        end?.();
        this.#listeners.delete(listener);
      }
    }
  }

  /** @returns whether every network that needs it is allocated. */
  async #allocateAll(store: ClusterStore, signal: AbortSignal): Promise<boolean> {
    let isComplete = true;
    for (const { id, value } of store.list(networkKind)) {
      if (signal.aborted) return true;
      if (value.driverOptions === undefined) continue; // its driver allocates nothing
      const driver = this.drivers.has(value.driver) ? this.drivers.get(value.driver) : undefined;
      if (driver !== undefined && (!allocates(driver) || this.#allocated.get(id) === driver)) continue;
      try {
        await this.allocate(store, id);
      } catch (err) {
        if (signal.aborted || store.get(networkKind, id) === undefined) continue;
        isComplete = false;
        const facts = { event: 'networks.not-allocated', networkId: id, driver: value.driver, err };
        this.log.warn(facts, 'failed to have a network allocated by its driver; retrying');
      }
    }
    return isComplete;
  }

  async #allocate(store: ClusterStore, id: string, driver: Allocating): Promise<void> {
    const record = recordOf(store, id);
    const driverOptions = await driver.allocateNetwork(toSpec(record));
    this.#allocated.set(id, driver);
    await this.#store(store, record, driverOptions);
  }

  async #store(
    store: ClusterStore,
    allocated: NetworkRecord,
    driverOptions: Readonly<Record<string, string>>,
  ): Promise<void> {
    for (let record: NetworkRecord | undefined = allocated; record !== undefined; ) {
      if (isDeepStrictEqual(record.value.driverOptions, driverOptions)) return;
      try {
        await store.transact([updateRecord(networkKind, record, { ...record.value, driverOptions })]);
        return;
      } catch (error) {
        if (!TransactionConflict.is(error)) throw error;
        record = store.get(networkKind, allocated.id);
      }
    }
  }
}

function recordOf(store: ClusterStore, id: string): NetworkRecord {
  const record = store.get(networkKind, id);
  if (record === undefined) throw internal(`network ${id} was removed before its driver had allocated it`);
  return record;
}

function toSpec({ id, value }: NetworkRecord): NetworkSpec {
  const { driverOptions, internal: isInternal, name, options, pools } = value;
  return {
    id,
    name,
    options: { ...options, ...driverOptions },
    internal: isInternal,
    ipv6: false,
    pools: pools.map(({ gateway, subnet }) => ({ gateway, subnet })),
  };
}
