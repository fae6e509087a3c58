import { inject, injectable } from '@gantry/core/driver';
import type { Protocol } from '@gantry/lib-plugin-protocol';
import type { ExternalPlugin } from '../service.js';
import type { DriverAdapter, KindAdapter } from './driver-adapter.js';
import { IpamAdapter } from './ipam-adapter.js';
import { LogAdapter } from './log-adapter.js';
import { NetworkAdapter } from './network-adapter.js';
import { VolumeAdapter } from './volume-adapter.js';

/** Makes plugins drivers of the kinds they implement. */
@injectable()
export class DriverAdapters {
  readonly #kinds: Readonly<Record<Exclude<Protocol, 'authz'>, KindAdapter>>;

  constructor(
    @inject(VolumeAdapter) volumes: VolumeAdapter,
    @inject(NetworkAdapter) networks: NetworkAdapter,
    @inject(IpamAdapter) ipam: IpamAdapter,
    @inject(LogAdapter) logs: LogAdapter,
  ) {
    this.#kinds = { VolumeDriver: volumes, NetworkDriver: networks, IpamDriver: ipam, LogDriver: logs };
  }

  /** Has the sets ask for drivers that are not there. @returns ends that. */
  onMissing(find: (name: string) => Promise<void>): () => void {
    const releases = Object.values(this.#kinds).map((kind) => kind.addFinder(find));
    return () => {
      for (const release of releases) release();
    };
  }

  /** Undefined for a part of the protocol that is no driver. */
  adapt(plugin: ExternalPlugin, protocol: Protocol): DriverAdapter | undefined {
    return protocol === 'authz' ? undefined : this.#kinds[protocol].adapt(plugin);
  }
}
