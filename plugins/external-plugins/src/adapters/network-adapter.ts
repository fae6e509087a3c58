import path from 'node:path';
import { type NetworkDriver, NetworkDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger, PackageDirectories } from '@gantry/core/driver';
import { KernelPlacement, RemoteNetworks } from '@gantry/lib-plugin-protocol';
import type { ExternalPlugin } from '../service.js';
import { type DriverAdapter, type KindAdapter, memberOf } from './driver-adapter.js';

/** Makes plugins network drivers. */
@injectable()
export class NetworkAdapter implements KindAdapter {
  constructor(
    @inject(NetworkDrivers.token) private readonly networks: DriverSet<NetworkDriver>,
    @inject(KernelPlacement) private readonly placement: KernelPlacement,
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(Logger) private readonly log: Logger,
  ) {}

  adapt(plugin: ExternalPlugin): DriverAdapter {
    const file = path.join(this.directories.root, 'nodes', `${encodeURIComponent(plugin.name)}.json`);
    return memberOf(this.networks, plugin, new RemoteNetworks(plugin.client, this.log, this.placement, file));
  }

  addFinder(find: (name: string) => Promise<void>): () => void {
    return this.networks.addFinder(find);
  }
}
