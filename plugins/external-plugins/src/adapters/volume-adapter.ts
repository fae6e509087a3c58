import { type VolumeDriver, VolumeDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { RemoteVolumes } from '@gantry/lib-plugin-protocol';
import type { ExternalPlugin } from '../service.js';
import { type DriverAdapter, type KindAdapter, memberOf } from './driver-adapter.js';

/** Makes plugins volume drivers. */
@injectable()
export class VolumeAdapter implements KindAdapter {
  constructor(@inject(VolumeDrivers.token) private readonly volumes: DriverSet<VolumeDriver>) {}

  adapt(plugin: ExternalPlugin): DriverAdapter {
    return memberOf(this.volumes, plugin, new RemoteVolumes(plugin.client, plugin.paths));
  }

  addFinder(find: (name: string) => Promise<void>): () => void {
    return this.volumes.addFinder(find);
  }
}
