import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { conflict, forbidden, invalidArgument, notFound } from '@gantry/core/errors';
import { shownDriver } from '../driver-names.js';
import { NetworkStore } from '../store/network-store.js';
import type { NetworkRecord } from '../store/records.js';
import { NetworkNameLock } from './network-name-lock.js';
import { predefinedNames } from './predefined-names.js';
import { RecordConfiguration } from './record-configuration.js';
import { type NetworkRequest, SetUpNetwork } from './set-up-network.js';
import { SwarmNetworkRequests } from './swarm-network-requests.js';

/** Spec: POST /networks/create. */
export interface CreateNetworkRequest extends Omit<NetworkRequest, 'driver'> {
  /** Undefined: the default driver. */
  readonly driver: string | undefined;
  readonly checkDuplicate: boolean;
  /** `swarm`: for all nodes. Undefined: as the driver has it. */
  readonly scope?: string;
  /** It carries the published ports of services. */
  readonly ingress?: boolean;
  /** It is only to hold settings for other networks. */
  readonly configOnly?: boolean;
}

/** Creates a network for a client. */
@injectable()
export class CreateNetwork {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>,
    @inject(SetUpNetwork) private readonly setUpNetwork: SetUpNetwork,
    @inject(RecordConfiguration) private readonly recordConfiguration: RecordConfiguration,
    @inject(NetworkNameLock) private readonly nameLock: NetworkNameLock,
    @inject(SwarmNetworkRequests) private readonly swarm: SwarmNetworkRequests,
  ) {}

  /**
   * Rejects `forbidden` for a pre-defined name or driver and for settings beside those of another network, `conflict` for a
   * name in use, `not-found` for an unknown driver or configuration network, `invalid-argument`; then nothing is left.
   */
  async create(request: CreateNetworkRequest): Promise<{ readonly id: string; readonly warning: string }> {
    const { name } = request;
    if (name.trim() === '') throw invalidArgument('Name: a network needs a name');
    if (predefinedNames.includes(name)) throw forbidden(`operation is not permitted on predefined ${name} network`);
    if (request.configOnly === true) {
      refuseOperatorFields(request);
      return this.nameLock.run(name, () => this.#create(request, () => this.recordConfiguration.record(request)));
    }
    const driverName = request.driver ?? this.drivers.defaultId ?? 'bridge';
    const driver = await this.drivers.lookup(driverName).catch((cause: unknown) => {
      throw notFound(`plugin "${driverName}" not found`, { cause });
    });
    if (!driver.capabilities.userDefined) {
      throw forbidden(`only one instance of "${shownDriver(driverName)}" network is allowed`);
    }
    const isOfSwarm = this.swarm.isOfSwarm(driver, request);
    const { configFrom } = request;
    if (configFrom !== undefined) refuseOwnSettings(request);
    return this.nameLock.runAll(configFrom === undefined ? [name] : [name, configFrom], () =>
      this.#create(request, () => {
        const settings = configFrom === undefined ? request : { ...request, ...this.#settingsOf(configFrom) };
        const complete = { ...settings, driver: driverName };
        return isOfSwarm
          ? this.swarm.create(driver, complete)
          : this.setUpNetwork.setUp(complete, { predefined: false });
      }),
    );
  }

  async #create(
    request: CreateNetworkRequest,
    create: () => Promise<Pick<NetworkRecord, 'id'>>,
  ): Promise<{ readonly id: string; readonly warning: string }> {
    const { name } = request;
    const [namesake] = this.store.byName(name);
    if (request.checkDuplicate && namesake !== undefined) throw conflict(`network with name ${name} already exists`);
    const warning = namesake === undefined ? '' : `Network with name ${name} (id : ${namesake.id}) already exists`;
    const { id } = await create();
    return { id, warning };
  }

  #settingsOf(configFrom: string): Pick<NetworkRequest, 'ipv4' | 'ipv6' | 'options' | 'labels' | 'ipam' | 'pools'> {
    const source = this.store.byName(configFrom).find(({ configuration }) => configuration !== undefined);
    if (source?.configuration === undefined) throw notFound(`configuration network "${configFrom}" does not exist`);
    const { ipv4 = true, ipv6, options, labels, ipam, configuration } = source;
    return { ipv4, ipv6, options, labels, ipam, pools: configuration.pools };
  }
}

/** @throws EngineError `forbidden` for what says how one network is used, and cannot be taken over by another. */
function refuseOperatorFields({ internal, attachable, configFrom }: CreateNetworkRequest): void {
  if (configFrom !== undefined) {
    throw forbidden('a configuration network cannot depend on another configuration network');
  }
  if (!internal && !attachable) return;
  throw forbidden(
    'configuration network can only contain network specific fields. Network operator fields like [ ingress | internal | attachable | scope ] are not supported.',
  );
}

/** @throws EngineError `forbidden` for settings beside those of a configuration network. */
function refuseOwnSettings({ ipv4 = true, ipv6, labels, ipam, pools, options }: CreateNetworkRequest): void {
  const { length } = [...Object.keys(labels), ...Object.keys(ipam.options), ...pools];
  if (length > 0 || !ipv4 || ipv6 || ipam.driver !== 'default') {
    throw forbidden(
      'user specified configurations are not supported if the network depends on a configuration network',
    );
  }
  if (Object.keys(options).length === 0) return;
  throw forbidden('network driver options are not supported if the network depends on a configuration network');
}
