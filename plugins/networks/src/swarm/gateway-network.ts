import { inject, injectable, Mutex } from '@gantry/core/driver';
import { DriverOfNetwork } from '../networks/driver-of-network.js';
import { SetUpNetwork } from '../networks/set-up-network.js';
import type { Attachment } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import type { NetworkRecord } from '../store/records.js';

/** As clients know it. */
const gatewayName = 'docker_gwbridge';

/**
 * The bridge of this host by which containers reach the outside whose own networks only connect them with each other. It
 * also publishes their ports. They do not reach each other over it.
 */
@injectable()
export class GatewayNetwork {
  readonly #mutex = new Mutex();

  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(DriverOfNetwork) private readonly driverOf: DriverOfNetwork,
    @inject(SetUpNetwork) private readonly setUpNetwork: SetUpNetwork,
  ) {}

  /** The place on it that a container on these networks needs; undefined when it needs none. */
  async attachmentFor(networkIds: readonly string[]): Promise<Attachment | undefined> {
    const networks = networkIds.map((id) => this.store.resolve(id));
    const needsGateway = networks.some((network) => this.driverOf.needsGateway(network));
    if (!needsGateway || networks.some((network) => this.driverOf.canRoute(network))) return undefined;
    const { id } = await this.#mutex.run(() => this.#ensure());
    return { networkId: id, aliases: [], links: {}, ports: [], isGateway: true };
  }

  async #ensure(): Promise<NetworkRecord> {
    const [present] = this.store.byName(gatewayName);
    if (present !== undefined) return present;
    const options = {
      'com.docker.network.bridge.enable_icc': 'false',
      'com.docker.network.bridge.enable_ip_masquerade': 'true',
    };
    const ipam = { driver: 'default', options: {} };
    const request = {
      name: gatewayName,
      driver: 'bridge',
      internal: false,
      ipv6: false,
      options,
      labels: {},
      ipam,
      pools: [],
    };
    return this.setUpNetwork.setUp(request, { predefined: true });
  }
}
