import { maskedPaths, readonlyPaths } from '@gantry/lib-oci';
import type { ContainerLookup } from '../container-lookup.js';
import type { ContainerRecord } from '../record.js';
import { parseLink } from '../sandbox/parse-link.js';
import type { HostConfig } from '../schema.js';

/** Every field with its default. `null` marks "not set" where an empty value would mean something. */
const blank = {
  Binds: null,
  ContainerIDFile: '',
  LogConfig: { Type: '', Config: {} },
  NetworkMode: 'default',
  PortBindings: {},
  RestartPolicy: { Name: '', MaximumRetryCount: 0 },
  AutoRemove: false,
  VolumeDriver: '',
  VolumesFrom: null,
  CapAdd: null,
  CapDrop: null,
  Dns: null,
  DnsOptions: null,
  DnsSearch: null,
  ExtraHosts: null,
  GroupAdd: null,
  IpcMode: 'private',
  Cgroup: '',
  Links: null,
  OomScoreAdj: 0,
  PidMode: '',
  Privileged: false,
  PublishAllPorts: false,
  ReadonlyRootfs: false,
  SecurityOpt: null,
  UTSMode: '',
  UsernsMode: '',
  ShmSize: 64 * 2 ** 20,
  Runtime: 'runc',
  ConsoleSize: [0, 0],
  Isolation: '',
  CpuShares: 0,
  Memory: 0,
  NanoCpus: 0,
  CgroupParent: '',
  BlkioWeight: 0,
  BlkioWeightDevice: null,
  BlkioDeviceReadBps: null,
  BlkioDeviceWriteBps: null,
  BlkioDeviceReadIOps: null,
  BlkioDeviceWriteIOps: null,
  CpuPeriod: 0,
  CpuQuota: 0,
  CpuRealtimePeriod: 0,
  CpuRealtimeRuntime: 0,
  CpusetCpus: '',
  CpusetMems: '',
  Devices: null,
  DeviceCgroupRules: null,
  DeviceRequests: null,
  MemoryReservation: 0,
  MemorySwap: 0,
  MemorySwappiness: null,
  OomKillDisable: false,
  PidsLimit: null,
  Ulimits: null,
  CpuCount: 0,
  CpuPercent: 0,
  IOMaximumIOps: 0,
  IOMaximumBandwidth: 0,
} satisfies Partial<Record<keyof HostConfig, unknown>>;

const blankDeviceRequest = { Driver: '', Count: 0, DeviceIDs: null, Capabilities: null, Options: null };

/** Inspect's HostConfig. Links, which are kept by id, show names: `/target:/self/alias`. */
export function toHostConfig(
  { name, hostConfig }: ContainerRecord,
  containers: ContainerLookup,
  CgroupnsMode: 'host' | 'private' = 'host',
) {
  const { DeviceRequests, Links, RestartPolicy, LogConfig } = hostConfig;
  const privileged = hostConfig.Privileged === true;
  return {
    ...blank,
    MaskedPaths: privileged ? null : maskedPaths,
    ReadonlyPaths: privileged ? null : readonlyPaths,
    ...hostConfig,
    CgroupnsMode,
    LogConfig: { ...blank.LogConfig, ...LogConfig },
    RestartPolicy: { ...blank.RestartPolicy, ...RestartPolicy },
    ...(DeviceRequests !== undefined && {
      DeviceRequests: DeviceRequests.map((request) => ({ ...blankDeviceRequest, ...request })),
    }),
    ...(Links !== undefined && { Links: Links.map((link) => shownLink(link, name, containers)) }),
  };
}

function shownLink(link: string, self: string, containers: ContainerLookup): string {
  const { target, alias } = parseLink(link);
  return `/${nameOf(target, containers)}:/${self}/${alias}`;
}

function nameOf(reference: string, containers: ContainerLookup): string {
  try {
    return containers.get(reference).name;
  } catch {
    return reference;
  }
}
