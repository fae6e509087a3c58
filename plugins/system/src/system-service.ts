import { readdir } from 'node:fs/promises';
import type { ContainerService } from '@gantry/containers/service';
import { version } from '@gantry/core';
import type { LogDriver, NetworkDriver, RuntimeDriver, StorageDriver, VolumeDriver } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import type { EngineApi } from '@gantry/engine-api/service';
import type { EventReaders } from '@gantry/events/service';
import type { ImageService } from '@gantry/images/service';
import { type HostFacts, readIpForwarding } from './host-facts.js';

/** What info and version are put together from. */
export interface SystemParts {
  readonly api: EngineApi;
  readonly containers: ContainerService;
  readonly images: ImageService;
  readonly readers: EventReaders;
  readonly runtimes: DriverSet<RuntimeDriver>;
  readonly storages: DriverSet<StorageDriver>;
  readonly networks: DriverSet<NetworkDriver>;
  readonly volumes: DriverSet<VolumeDriver>;
  readonly logs: DriverSet<LogDriver>;
  readonly host: HostFacts;
  readonly engineId: string;
  readonly dataRoot: string;
}

/** What the operator says of the engine. */
export interface SystemSettings {
  readonly labels: readonly string[];
  readonly debug: boolean;
}

/** Spec: info and version records. */
export class SystemService {
  constructor(
    private readonly parts: SystemParts,
    /** Told from now on when they are replaced. */
    public settings: SystemSettings,
  ) {}

  /** Spec: version record. */
  version(): object {
    const { api, host } = this.parts;
    return {
      Version: version,
      ApiVersion: api.apiVersion,
      MinAPIVersion: api.minApiVersion,
      GitCommit: 'none',
      GoVersion: `node ${process.versions.node}`,
      Os: 'linux',
      Arch: host.architecture === 'x86_64' ? 'amd64' : host.architecture === 'aarch64' ? 'arm64' : host.architecture,
      KernelVersion: host.kernelVersion,
      BuildTime: host.builtAt,
      Experimental: false,
    };
  }

  /** Spec: info record, and what later clients look for in it. */
  async info(): Promise<object> {
    const { containers, host, images, parts } = { ...this.parts, parts: this.parts };
    const runtime = parts.runtimes.get();
    const storage = parts.storages.get();
    const [described, descriptors, forwarding] = await Promise.all([
      runtime.describe(),
      readdir('/proc/self/fd'),
      readIpForwarding(),
    ]);
    const counts = containers.counts();
    return {
      ID: parts.engineId,
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
      Driver: parts.storages.defaultId ?? '',
      DriverStatus: storage.status(),
      SystemStatus: null,
      EngineRootDir: parts.dataRoot,
      Plugins: {
        Volume: parts.volumes.ids,
        Network: parts.networks.ids,
        Authorization: parts.api.guards.length === 0 ? null : parts.api.guards,
        Log: parts.logs.ids,
      },
      LoggingDriver: parts.logs.defaultId ?? '',
      CgroupDriver: 'cgroupfs',
      CgroupVersion: runtime.capabilities.cgroups === 'v2' ? '2' : '1',
      DefaultRuntime: described.name,
      Runtimes: Object.fromEntries(
        described.runtimes.map((name) => [name, { path: name === described.name ? described.path : name }]),
      ),
      SecurityOptions: ['seccomp'],
      Labels: this.settings.labels,
      Debug: this.settings.debug,
      ExperimentalBuild: false,
      LiveRestoreEnabled: runtime.capabilities.survivesDaemon,
      NEventsListener: parts.readers.readers,
      NFd: descriptors.length,
      NGoroutines: process.getActiveResourcesInfo().length,
      IPv4Forwarding: forwarding,
      MemoryLimit: host.limits.memory,
      SwapLimit: host.limits.swap,
      KernelMemory: host.limits.kernelMemory,
      OomKillDisable: host.limits.oomKillDisable,
      CpuCfsPeriod: host.limits.cpuPeriod,
      CpuCfsQuota: host.limits.cpuQuota,
      CPUShares: host.limits.cpuShares,
      CPUSet: host.limits.cpuSet,
      PidsLimit: host.limits.pids,
      BridgeNfIptables: false,
      BridgeNfIp6tables: false,
      ClusterStore: '',
      ClusterAdvertise: '',
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
      InitPath: '',
      InitSha1: '',
      InitBinary: '',
      IndexServerAddress: '',
      RegistryConfig: { IndexConfigs: {}, InsecureRegistryCIDRs: ['127.0.0.0/8'], Mirrors: [] },
      Warnings: storageWarnings(parts.storages),
    };
  }
}

/** Null without warnings, as clients expect. */
function storageWarnings({ defaultId, unavailableDefault }: DriverSet<StorageDriver>): readonly string[] | null {
  if (unavailableDefault === undefined) return null;
  const { id, reason } = unavailableDefault;
  return [`WARNING: storage driver ${id} is unavailable, using ${defaultId}, which may be slow: ${reason}`];
}
