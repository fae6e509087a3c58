import { readdir } from 'node:fs/promises';
import { version } from '@gantry/core';
import type { NetworkDriver, RuntimeDriver, StorageDriver } from '@gantry/core/contracts';
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
    const { limits, securityOptions } = objects.containerFacts();
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
      SecurityOptions: securityOptions.map(toSecurityOption),
      Labels: this.settings.current.labels,
      Debug: this.settings.current.debug,
      ExperimentalBuild: false,
      LiveRestoreEnabled: runtime.capabilities.survivesDaemon,
      NFd: descriptors.length,
      NGoroutines: process.getActiveResourcesInfo().length,
      IPv4Forwarding: forwarding,
      MemoryLimit: limits.memory,
      SwapLimit: limits.swap,
      // No kernel since 5.16 limits it, and no runtime sets it on version 2.
      ...(kernelMemory && { KernelMemory: false }),
      OomKillDisable: limits.oomKillDisable,
      CpuCfsPeriod: limits.cpuQuota,
      CpuCfsQuota: limits.cpuQuota,
      CPUShares: limits.cpuShares,
      CPUSet: limits.cpuset,
      PidsLimit: limits.pids,
      Swarm: objects.swarm(),
      HttpProxy: maskedUrl(proxies.httpProxy),
      HttpsProxy: maskedUrl(proxies.httpsProxy),
      NoProxy: proxies.noProxy,
      InitBinary: objects.initBinary(),
      ContainerdCommit: { ID: '' },
      RuncCommit: { ID: described.version },
      InitCommit: { ID: '' },
      Isolation: '',
      GenericResources: objects.genericResources(),
      ProductLicense: '',
      DefaultAddressPools: null,
      CDISpecDirs: devices.specDirectories,
      DiscoveredDevices: devices.names.map((ID) => ({ Source: 'cdi', ID })),
      IndexServerAddress: indexServerAddress(source),
      RegistryConfig: toRegistryConfig(source),
      ...firewallBackend(networks),
      Warnings: warningsOf([
        ...api.warnings,
        ...storageWarnings(storages),
        ...cgroupWarnings(runtime),
        ...objects.swarmWarnings(),
      ]),
    };
  }
}

/** A proxy's URL without its password, which every client of the API could read otherwise. */
const maskedUrl = (text: string): string => text.replace(/\/\/[^/@]*@/, '//xxxxx:xxxxx@');

/** With its attributes: there is one profile of system calls, the built-in one. */
const toSecurityOption = (name: string): string =>
  name === 'seccomp' ? 'name=seccomp,profile=builtin' : `name=${name}`;

/** Of the first driver that makes rules for packets; absent without one. */
function firewallBackend(networks: DriverSet<NetworkDriver>): {
  readonly FirewallBackend?: { readonly Driver: string };
} {
  const [backend] = networks.ids.flatMap((id) => networks.get(id).capabilities.firewall ?? []);
  return backend === undefined ? {} : { FirewallBackend: { Driver: backend } };
}

/** Clients expect null instead of an empty list. */
const warningsOf = (warnings: readonly string[]): readonly string[] | null => (warnings.length === 0 ? null : warnings);

const cgroupWarnings = ({ capabilities }: RuntimeDriver): readonly string[] =>
  capabilities.cgroupDriver === 'none'
    ? [
        'WARNING: Running in rootless-mode without cgroups. Limits of containers are discarded. To enable cgroups in rootless-mode, you need cgroup v2 and a cgroup that is delegated to the user',
      ]
    : [];

function storageWarnings({ defaultId, unavailableDefault }: DriverSet<StorageDriver>): readonly string[] {
  if (unavailableDefault === undefined) return [];
  const { id, reason } = unavailableDefault;
  return [`WARNING: storage driver ${id} is unavailable, using ${defaultId}, which may be slow: ${reason}`];
}
