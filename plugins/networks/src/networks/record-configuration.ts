import { randomBytes } from 'node:crypto';
import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notFound } from '@gantry/core/errors';
import { parseSubnet } from '@gantry/lib-network/subnet';
import { NetworkStore } from '../store/network-store.js';
import type { NetworkRecord } from '../store/records.js';
import { NetworkEvents } from './network-events.js';
import type { NetworkRequest } from './set-up-network.js';

/** Stores settings for networks to come. Nothing else of it exists: what they name is checked when a network takes them. */
@injectable()
export class RecordConfiguration {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>,
    @inject(NetworkEvents) private readonly events: NetworkEvents,
  ) {}

  /** Durable when it resolves; rejects `invalid-argument` for a malformed subnet. Its driver is shown as the one of networks that connect nothing. */
  async record(request: Omit<NetworkRequest, 'driver'>): Promise<NetworkRecord> {
    if (!this.drivers.has('none')) throw notFound('plugin "none" not found');
    const { name, ipv4 = true, ipv6, options, labels, ipam, pools } = request;
    for (const { subnet } of pools) checkSubnet(subnet);
    const network: NetworkRecord = {
      id: randomBytes(32).toString('hex'),
      name,
      createdAt: new Date().toISOString(),
      driver: this.drivers.idOf('none'),
      options,
      labels,
      internal: false,
      ipv4,
      ipv6,
      predefined: false,
      ipam,
      pools: [],
      configuration: { pools },
    };
    await this.store.change({ networks: [network] });
    this.events.publish('create', network);
    return network;
  }
}

function checkSubnet(subnet: string | undefined): void {
  if (subnet === undefined || parseSubnet(subnet) !== undefined) return;
  throw invalidArgument(`invalid subnet ${subnet}: invalid CIDR block notation`);
}
