import { readdir } from 'node:fs/promises';
import { version } from '@gantry/core';
import type { StorageDriver } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { EngineApi } from '@gantry/engine-api/service';
import { readEnvironment } from '@gantry/lib-http';
import { EngineDrivers } from './engine-drivers.js';
import { EngineIdentity } from './engine-identity.js';
import { EngineObjects } from './engine-objects.js';
import { HostFacts, readIpForwarding } from './host-facts.js';
import { indexServerAddress, toRegistryConfig } from './registry-config.js';
import { SystemSettings } from './system-settings.js';

/** Spec: info record, with the fields that later clients expect. */
@injectable()
export class GetInfo {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(EngineObjects) private readonly objects: EngineObjects,
    @inject(EngineDrivers) private readonly drivers: EngineDrivers,
    @inject(EngineIdentity) private readonly identity: EngineIdentity,
    @inject(HostFacts) private readonly host: HostFacts,
    @inject(SystemSettings) private readonly settings: SystemSettings,
  ) {}

  /** @param kernelMemory whether to say if the kernel's memory can be limited apart, as older versions did. */
  async get({ kernelMemory }: { readonly kernelMemory: boolean }) {
    const { api, host, identity, objects } = this;
    const { logs, networks, runtimes, storages, volumes } = this.drivers;
    const runtime = runtimes.get();
    const storage = storages.get();
    const [described, descriptors, forwarding, devices] = await Promise.all([
      runtime.describe(),
      readdir('/proc/self/fd'),
      readIpForwarding(),
      objects.devices(),
    ]);
    const source = objects.sourceSettings();
    const proxies = readEnvironment();
    return {
      ID: identity.id,
      Name: host.hostname,
      ServerVersion: version,
      Architecture: host.architecture,
      OSType: 'linux',
      OperatingSystem: host.operatingSystem,
      OSVersion: host.operatingSystemVersion,
      KernelVersion: host.kernelVersion,
      NCPU: host.cpus,
      MemTotal: host.memoryBytes,
      SystemTime: new Date().toISOString(),
      ...objects.counts(),
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
      CgroupDriver: runtime.capabilities.cgroupDriver ?? 'none',
      CgroupVersion: runtime.capabilities.cgroups === 'v2' ? '2' : '1',
      DefaultRuntime: described.name,
      Runtimes: Object.fromEntries(
        described.runtimes.map((name) => [name, { path: name === described.name ? described.path : name }]),
      ),
      SecurityOptions: host.securityOptions,
      Labels: this.settings.current.labels,
      Debug: this.settings.current.debug,
      ExperimentalBuild: false,
      LiveRestoreEnabled: runtime.capabilities.survivesDaemon,
      NFd: descriptors.length,
      NGoroutines: process.getActiveResourcesInfo().length,
      IPv4Forwarding: forwarding,
      MemoryLimit: host.limits.memory,
      SwapLimit: host.limits.swap,
      // No kernel since 5.16 limits it, and no runtime sets it on version 2.
      ...(kernelMemory && { KernelMemory: false }),
      OomKillDisable: host.limits.oomKillDisable,
      CpuCfsPeriod: host.limits.cpuPeriod,
      CpuCfsQuota: host.limits.cpuQuota,
      CPUShares: host.limits.cpuShares,
      CPUSet: host.limits.cpuSet,
      PidsLimit: host.limits.pids,
      Swarm: objects.swarm(),
      HttpProxy: maskedUrl(proxies.httpProxy),
      HttpsProxy: maskedUrl(proxies.httpsProxy),
      NoProxy: proxies.noProxy,
      InitBinary: objects.initBinary(),
      ContainerdCommit: { ID: '' },
      RuncCommit: { ID: described.version },
      InitCommit: { ID: '' },
      Isolation: '',
      GenericResources: null,
      ProductLicense: '',
      DefaultAddressPools: null,
      CDISpecDirs: devices.specDirectories,
      DiscoveredDevices: devices.names.map((ID) => ({ Source: 'cdi', ID })),
      IndexServerAddress: indexServerAddress(source),
      RegistryConfig: toRegistryConfig(source),
      Warnings: storageWarnings(storages),
    };
  }
}

/** A proxy's URL without its password, which every client of the API could read otherwise. */
const maskedUrl = (text: string): string => text.replace(/\/\/[^/@]*@/, '//xxxxx:xxxxx@');

/** Clients expect null instead of an empty list. */
function storageWarnings({ defaultId, unavailableDefault }: DriverSet<StorageDriver>): readonly string[] | null {
  if (unavailableDefault === undefined) return null;
  const { id, reason } = unavailableDefault;
  return [`WARNING: storage driver ${id} is unavailable, using ${defaultId}, which may be slow: ${reason}`];
}
