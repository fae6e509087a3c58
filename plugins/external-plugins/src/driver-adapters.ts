import path from 'node:path';
import {
  type IpamDriver,
  IpamDrivers,
  type LogDriver,
  LogDrivers,
  type NetworkDriver,
  NetworkDrivers,
  type VolumeDriver,
  VolumeDrivers,
} from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger, PackageDirectories } from '@gantry/core/driver';
import { Files } from '@gantry/lib-linux/files';
import {
  type FifoPlace,
  KernelPlacement,
  type Protocol,
  RemoteIpam,
  RemoteLogs,
  RemoteNetworks,
  RemoteVolumes,
} from '@gantry/lib-plugin-protocol';
import type { ExternalPlugin } from './service.js';

/** A plugin as a driver of one kind. */
interface DriverAdapter {
  readonly driver: {
    /** What of it is in use, with its users. */
    readonly uses: readonly string[];
    loadCapabilities?(): Promise<void>;
  };
  /** Adds the driver to its set. @returns removes it. @throws EngineError `conflict` for a name in use. */
  join(): () => void;
}

/** Makes plugins drivers of the kinds they implement. */
@injectable()
export class DriverAdapters {
  constructor(
    @inject(VolumeDrivers.token) private readonly volumes: DriverSet<VolumeDriver>,
    @inject(NetworkDrivers.token) private readonly networks: DriverSet<NetworkDriver>,
    @inject(IpamDrivers.token) private readonly ipam: DriverSet<IpamDriver>,
    @inject(LogDrivers.token) private readonly logs: DriverSet<LogDriver>,
    @inject(KernelPlacement) private readonly placement: KernelPlacement,
    @inject(Files.token) private readonly files: Files,
    @inject(PackageDirectories) private readonly directories: PackageDirectories,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Has the sets ask for drivers that are not there. @returns ends that. */
  onMissing(find: (name: string) => Promise<void>): () => void {
    const sets = [this.volumes, this.networks, this.ipam, this.logs];
    const releases = sets.map((set) => set.addFinder(find));
    return () => {
      for (const release of releases) release();
    };
  }

  /** Undefined for a part of the protocol that is no driver. */
  adapt(plugin: ExternalPlugin, protocol: Protocol): DriverAdapter | undefined {
    const { client, fifoPlace = (name) => this.#sharedFifo(name), paths } = plugin;
    switch (protocol) {
      case 'VolumeDriver':
        return adapter(this.volumes, plugin, new RemoteVolumes(client, paths));
      case 'NetworkDriver':
        return adapter(this.networks, plugin, new RemoteNetworks(client, this.log, this.placement));
      case 'IpamDriver':
        return adapter(this.ipam, plugin, new RemoteIpam(client, this.#allocationsFile(plugin)));
      case 'LogDriver':
        return adapter(this.logs, plugin, new RemoteLogs(client, fifoPlace, this.files));
      default:
        return undefined;
    }
  }

  #allocationsFile({ name }: ExternalPlugin): string {
    return path.join(this.directories.root, 'addresses', `${encodeURIComponent(name)}.json`);
  }

  #sharedFifo(name: string): FifoPlace {
    const hostPath = path.join(this.directories.state, 'logs', name);
    return { hostPath, pluginPath: hostPath };
  }
}

function adapter<T, D extends T & DriverAdapter['driver']>(
  set: DriverSet<T>,
  { aliases, name }: ExternalPlugin,
  driver: D,
): DriverAdapter {
  return {
    driver,
    join: () => {
      const releases = [set.add(name, driver), ...aliases.map((alias) => set.alias(alias, name))];
      return () => {
        for (const release of releases) release();
      };
    },
  };
}
