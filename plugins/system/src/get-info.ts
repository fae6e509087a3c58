import { readdir } from 'node:fs/promises';
import { ContainerService } from '@gantry/containers/service';
import { version } from '@gantry/core';
import type { StorageDriver } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { EngineApi } from '@gantry/engine-api/service';
import { EventReaders } from '@gantry/events/service';
import { ImageService } from '@gantry/images/service';
import { EngineDrivers } from './engine-drivers.js';
import { EngineIdentity } from './engine-identity.js';
import { HostFacts, readIpForwarding } from './host-facts.js';
import { SystemSettings } from './system-settings.js';

/** Spec: info record, with the fields that later clients expect. */
@injectable()
export class GetInfo {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(ContainerService.token) private readonly containers: ContainerService,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(EventReaders.token) private readonly readers: EventReaders,
    @inject(EngineDrivers) private readonly drivers: EngineDrivers,
    @inject(EngineIdentity) private readonly identity: EngineIdentity,
    @inject(HostFacts) private readonly host: HostFacts,
    @inject(SystemSettings) private readonly settings: SystemSettings,
  ) {}

  /** @param kernelMemory whether to say if the kernel's memory can be limited apart, as older versions did. */
  async get({ kernelMemory }: { readonly kernelMemory: boolean }) {
    const { api, containers, host, identity, images } = this;
    const { logs, networks, runtimes, storages, volumes } = this.drivers;
    const runtime = runtimes.get();
    const storage = storages.get();
    const [described, descriptors, forwarding] = await Promise.all([
      runtime.describe(),
      readdir('/proc/self/fd'),
      readIpForwarding(),
    ]);
    const counts = containers.counts();
    return {
      ID: identity.id,
      Name: host.hostname,
      ServerVersion: version,
      Architecture: host.architecture,
      OSType: 'linux',
      OperatingSystem: host.operatingSystem,
      KernelVersion: host.kernelVersion,
      NCPU: host.cpus,
      MemTotal: host.memoryBytes,
      SystemTime: new Date().toISOString(),
      Containers: counts.total,
      ContainersRunning: counts.running,
      ContainersPaused: counts.paused,
      ContainersStopped: counts.stopped,
      Images: images.count,
      Driver: storages.defaultId ?? '',
      DriverStatus: storage.status(),
      EngineRootDir: identity.dataRoot,
      Plugins: {
        Volume: volumes.ids,
        Network: networks.ids,
        Authorization: api.guards.length === 0 ? null : api.guards,
        Log: logs.ids,
      },
      LoggingDriver: logs.defaultId ?? '',
      CgroupDriver: 'cgroupfs',
      CgroupVersion: runtime.capabilities.cgroups === 'v2' ? '2' : '1',
      DefaultRuntime: described.name,
      Runtimes: Object.fromEntries(
        described.runtimes.map((name) => [name, { path: name === described.name ? described.path : name }]),
      ),
      SecurityOptions: ['seccomp'],
      Labels: this.settings.current.labels,
      Debug: this.settings.current.debug,
      ExperimentalBuild: false,
      LiveRestoreEnabled: runtime.capabilities.survivesDaemon,
      NEventsListener: this.readers.readers,
      NFd: descriptors.length,
      NGoroutines: process.getActiveResourcesInfo().length,
      IPv4Forwarding: forwarding,
      MemoryLimit: host.limits.memory,
      SwapLimit: host.limits.swap,
      ...(kernelMemory && { KernelMemory: host.limits.kernelMemory }),
      OomKillDisable: host.limits.oomKillDisable,
      CpuCfsPeriod: host.limits.cpuPeriod,
      CpuCfsQuota: host.limits.cpuQuota,
      CPUShares: host.limits.cpuShares,
      CPUSet: host.limits.cpuSet,
      PidsLimit: host.limits.pids,
      Swarm: {
        NodeID: '',
        NodeAddr: '',
        LocalNodeState: 'inactive',
        ControlAvailable: false,
        Error: '',
        RemoteManagers: null,
      },
      HttpProxy: process.env.HTTP_PROXY ?? '',
      HttpsProxy: process.env.HTTPS_PROXY ?? '',
      NoProxy: process.env.NO_PROXY ?? '',
      InitBinary: '',
      ContainerdCommit: { ID: '' },
      RuncCommit: { ID: '' },
      InitCommit: { ID: '' },
      Isolation: '',
      GenericResources: null,
      ProductLicense: '',
      DefaultAddressPools: null,
      CDISpecDirs: [],
      IndexServerAddress: '',
      RegistryConfig: { IndexConfigs: {}, InsecureRegistryCIDRs: ['127.0.0.0/8'], Mirrors: [] },
      Warnings: storageWarnings(storages),
    };
  }
}

/** Clients expect null instead of an empty list. */
function storageWarnings({ defaultId, unavailableDefault }: DriverSet<StorageDriver>): readonly string[] | null {
  if (unavailableDefault === undefined) return null;
  const { id, reason } = unavailableDefault;
  return [`WARNING: storage driver ${id} is unavailable, using ${defaultId}, which may be slow: ${reason}`];
}
