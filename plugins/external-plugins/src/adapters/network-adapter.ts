import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { KernelPlacement, RemoteNetworks } from '@gantry/lib-plugin-protocol';
import type { ExternalPlugin } from '../service.js';
import { type DriverAdapter, type KindAdapter, memberOf } from './driver-adapter.js';

/** Makes plugins network drivers. */
@injectable()
export class NetworkAdapter implements KindAdapter {
  constructor(
    @inject(NetworkDrivers.token) private readonly networks: DriverSet<NetworkDriver>,
    @inject(KernelPlacement) private readonly placement: KernelPlacement,
    @inject(Logger) private readonly log: Logger,
  ) {}

  adapt(plugin: ExternalPlugin): DriverAdapter {
    return memberOf(this.networks, plugin, new RemoteNetworks(plugin.client, this.log, this.placement));
  }

  addFinder(find: (name: string) => Promise<void>): () => void {
    return this.networks.addFinder(find);
  }
}
