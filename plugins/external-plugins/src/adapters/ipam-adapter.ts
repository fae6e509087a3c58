import path from 'node:path';
import { type IpamDriver, IpamDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { RemoteIpam } from '@gantry/lib-plugin-protocol';
import type { ExternalPlugin } from '../service.js';
import { type DriverAdapter, type KindAdapter, memberOf } from './driver-adapter.js';

/** Makes plugins IPAM drivers. */
@injectable()
export class IpamAdapter implements KindAdapter {
  constructor(
    @inject(IpamDrivers.token) private readonly ipam: DriverSet<IpamDriver>,
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
  ) {}

  adapt(plugin: ExternalPlugin): DriverAdapter {
    const file = path.join(this.directories.root, 'addresses', `${encodeURIComponent(plugin.name)}.json`);
    return memberOf(this.ipam, plugin, new RemoteIpam(plugin.client, file));
  }

  addFinder(find: (name: string) => Promise<void>): () => void {
    return this.ipam.addFinder(find);
  }
}
