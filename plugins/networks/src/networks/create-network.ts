import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { conflict, forbidden, invalidArgument, notFound } from '@gantry/core/errors';
import { shownDriver } from '../driver-names.js';
import { NetworkStore } from '../store/network-store.js';
import { NetworkNameLock } from './network-name-lock.js';
import { type NetworkRequest, SetUpNetwork } from './set-up-network.js';

/** `default` is the name that containers use for the network they join when they name none. */
const predefinedNames: readonly string[] = ['bridge', 'host', 'none', 'default'];

/** Spec: POST /networks/create. */
export interface CreateNetworkRequest extends Omit<NetworkRequest, 'driver'> {
  /** Undefined: the default driver. */
  readonly driver: string | undefined;
  readonly checkDuplicate: boolean;
}

/** Creates a network for a client. */
@injectable()
export class CreateNetwork {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(NetworkDrivers.token) private readonly drivers: DriverSet<NetworkDriver>,
    @inject(SetUpNetwork) private readonly setUpNetwork: SetUpNetwork,
    @inject(NetworkNameLock) private readonly nameLock: NetworkNameLock,
  ) {}

  /**
   * Rejects `forbidden` for a pre-defined name or driver, `conflict` for a name in use, `not-found` for an unknown
   * driver, `invalid-argument`; then nothing is left.
   */
  async create(request: CreateNetworkRequest): Promise<{ readonly id: string; readonly warning: string }> {
    const { name } = request;
    if (name.trim() === '') throw invalidArgument('Name: a network needs a name');
    if (predefinedNames.includes(name)) throw forbidden(`operation is not permitted on predefined ${name} network`);
    const driverName = request.driver ?? this.drivers.defaultId ?? 'bridge';
    const driver = await this.drivers.lookup(driverName).catch((cause: unknown) => {
      throw notFound(`plugin "${driverName}" not found`, { cause });
    });
    if (!driver.capabilities.userDefined) {
      throw forbidden(`only one instance of "${shownDriver(driverName)}" network is allowed`);
    }
    return this.nameLock.run(name, () => this.#create({ ...request, driver: driverName }));
  }

  async #create(
    request: CreateNetworkRequest & NetworkRequest,
  ): Promise<{ readonly id: string; readonly warning: string }> {
    const { name } = request;
    const [namesake] = this.store.byName(name);
    if (request.checkDuplicate && namesake !== undefined) throw conflict(`network with name ${name} already exists`);
    const warning = namesake === undefined ? '' : `Network with name ${name} (id : ${namesake.id}) already exists`;
    const { id } = await this.setUpNetwork.setUp(request, { predefined: false });
    return { id, warning };
  }
}
