import { randomBytes } from 'node:crypto';
import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { asOneCall, type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { AddressPools, toSpec } from '../addresses/address-pools.js';
import { NetworkStore } from '../store/network-store.js';
import type { NetworkRecord, PoolRequirement } from '../store/records.js';
import { NetworkEvents } from './network-events.js';

export interface NetworkRequest {
  readonly name: string;
  readonly driver: string;
  readonly internal: boolean;
  readonly attachable?: boolean;
  /** Default: true. */
  readonly ipv4?: boolean;
  readonly ipv6: boolean;
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly ipam: NetworkRecord['ipam'];
  readonly pools: readonly PoolRequirement[];
  /** The network that the settings came from. */
  readonly configFrom?: string;
}

/** Reserves the pools of a network, records it and has its driver create it. */
@injectable()
export class SetUpNetwork {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>,
    @inject(AddressPools) private readonly addressPools: AddressPools,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Does not check whether clients may create such a network. On rejection everything is rolled back. */
  async setUp(request: NetworkRequest, options: { readonly predefined: boolean }): Promise<NetworkRecord> {
    const driver = this.drivers.get(request.driver);
    return asOneCall([driver], 'creating a network', () => this.#setUp(request, driver, options));
  }

  async #setUp(
    request: NetworkRequest,
    driver: NetworkDriver,
    { predefined }: { readonly predefined: boolean },
  ): Promise<NetworkRecord> {
    const { name, internal, attachable = false, ipv4 = true, ipv6, options, labels, configFrom } = request;
    const ipam = { ...request.ipam, driver: this.addressPools.driverIdOf(request.ipam.driver) };
    const id = randomBytes(32).toString('hex');
    const base = {
      id,
      name,
      createdAt: new Date().toISOString(),
      driver: this.drivers.idOf(request.driver),
      options,
      labels,
      internal,
      attachable,
      ipv4,
      ipv6,
      predefined,
      ipam,
      ...(configFrom !== undefined && { configFrom }),
    };
    driver.validate(toSpec({ ...base, pools: [] }));
    const pools = driver.capabilities.addresses
      ? await this.addressPools.reserve(id, ipam, requirementsOf(request))
      : [];
    const network: NetworkRecord = { ...base, pools };
    try {
      await this.store.change({ networks: [network] });
      crashPoint('network.create.recorded');
      await driver.createNetwork(toSpec(network));
      crashPoint('network.create.made');
    } catch (error) {
      await this.#rollBack(network, driver);
      throw error;
    }
    if (!predefined) this.events.publish('create', network);
    return network;
  }

  async #rollBack(network: NetworkRecord, driver: NetworkDriver): Promise<void> {
    const steps = await Promise.allSettled([
      driver.removeNetwork(network.id),
      this.store.change({ removeNetworks: [network.id] }),
      this.addressPools.release(network),
    ]);
    for (const step of steps) {
      if (step.status === 'fulfilled') continue;
      const facts = { event: 'network.rollback-failed', network: network.name, error: step.reason };
      this.log.error(facts, 'failed to roll back the creation of a network');
    }
  }
}

/** Without a subnet in the request the IPAM driver chooses one for each family. IPv4 comes first. */
function requirementsOf({ pools, ipv4 = true, ipv6 }: NetworkRequest): readonly PoolRequirement[] {
  const requirements = [...pools].sort((one, other) => Number(one.ipv6) - Number(other.ipv6));
  if (ipv4 && !requirements.some((pool) => !pool.ipv6)) requirements.unshift({ auxiliary: {}, ipv6: false });
  if (ipv6 && !requirements.some((pool) => pool.ipv6)) requirements.push({ auxiliary: {}, ipv6: true });
  return requirements;
}
