// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

/** Bytes that are sent or come as they are. */
type Archive = string | Uint8Array | AsyncIterable<Uint8Array>;

export type BuildCachePruned = {
  readonly CachesDeleted: readonly string[] | null;
  readonly SpaceReclaimed: number;
};

export type ContainerCreateBody = {
  readonly Hostname?: string | undefined;
  readonly Domainname?: string | undefined;
  readonly User?: string | undefined;
  readonly AttachStdin?: boolean | undefined;
  readonly AttachStdout?: boolean | undefined;
  readonly AttachStderr?: boolean | undefined;
  readonly Tty?: boolean | undefined;
  readonly OpenStdin?: boolean | undefined;
  readonly StdinOnce?: boolean | undefined;
  readonly Env?: readonly string[] | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly Cmd?: string | readonly string[] | undefined;
  readonly Entrypoint?: string | readonly string[] | undefined;
  readonly Image?: string | undefined;
  readonly Volumes?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly Healthcheck?: {
    readonly Test?: readonly string[] | undefined;
    readonly Interval?: number | undefined;
    readonly Timeout?: number | undefined;
    readonly StartPeriod?: number | undefined;
    readonly StartInterval?: number | undefined;
    readonly Retries?: number | undefined;
  } | undefined;
  readonly WorkingDir?: string | undefined;
  readonly NetworkDisabled?: boolean | undefined;
  readonly MacAddress?: string | undefined;
  readonly ExposedPorts?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly StopSignal?: string | number | undefined;
  readonly StopTimeout?: number | undefined;
  readonly OnBuild?: readonly string[] | undefined;
  readonly Shell?: readonly string[] | undefined;
  readonly ArgsEscaped?: boolean | undefined;
  readonly HostConfig?: {
    readonly CpuShares?: number | undefined;
    readonly CpuPeriod?: number | undefined;
    readonly CpuQuota?: number | undefined;
    readonly CpuRealtimePeriod?: number | undefined;
    readonly CpuRealtimeRuntime?: number | undefined;
    readonly CpusetCpus?: string | undefined;
    readonly CpusetMems?: string | undefined;
    readonly NanoCpus?: number | undefined;
    readonly Memory?: number | undefined;
    readonly MemorySwap?: number | undefined;
    readonly MemoryReservation?: number | undefined;
    readonly KernelMemory?: number | undefined;
    readonly BlkioWeight?: number | undefined;
    readonly PidsLimit?: number | undefined;
    readonly Binds?: readonly string[] | undefined;
    readonly Tmpfs?: Readonly<Record<string, string>> | undefined;
    readonly Mounts?: readonly {
      readonly Type?: string | undefined;
      readonly Source?: string | undefined;
      readonly Target?: string | undefined;
      readonly ReadOnly?: boolean | undefined;
      readonly Consistency?: string | undefined;
      readonly BindOptions?: {
        readonly Propagation?: string | undefined;
        readonly NonRecursive?: boolean | undefined;
        readonly CreateMountpoint?: boolean | undefined;
        readonly ReadOnlyNonRecursive?: boolean | undefined;
        readonly ReadOnlyForceRecursive?: boolean | undefined;
      } | undefined;
      readonly VolumeOptions?: {
        readonly NoCopy?: boolean | undefined;
        readonly Subpath?: string | undefined;
        readonly Labels?: Readonly<Record<string, string>> | undefined;
        readonly DriverConfig?: {
          readonly Name?: string | undefined;
          readonly Options?: Readonly<Record<string, string>> | undefined;
        } | undefined;
      } | undefined;
      readonly ImageOptions?: {
        readonly Subpath?: string | undefined;
      } | undefined;
      readonly TmpfsOptions?: {
        readonly SizeBytes?: number | undefined;
        readonly Mode?: number | undefined;
        readonly Options?: readonly (readonly string[])[] | undefined;
      } | undefined;
    }[] | undefined;
    readonly Links?: readonly string[] | undefined;
    readonly CpuPercent?: number | undefined;
    readonly CpuCount?: number | undefined;
    readonly IOMaximumBandwidth?: number | undefined;
    readonly IOMaximumIOps?: number | undefined;
    readonly BlkioWeightDevice?: readonly {
      readonly Path?: string | undefined;
      readonly Weight?: number | undefined;
    }[] | undefined;
    readonly BlkioDeviceReadBps?: readonly {
      readonly Path?: string | undefined;
      readonly Rate?: number | undefined;
    }[] | undefined;
    readonly BlkioDeviceWriteBps?: readonly {
      readonly Path?: string | undefined;
      readonly Rate?: number | undefined;
    }[] | undefined;
    readonly BlkioDeviceReadIOps?: readonly {
      readonly Path?: string | undefined;
      readonly Rate?: number | undefined;
    }[] | undefined;
    readonly BlkioDeviceWriteIOps?: readonly {
      readonly Path?: string | undefined;
      readonly Rate?: number | undefined;
    }[] | undefined;
    readonly MemorySwappiness?: number | undefined;
    readonly OomKillDisable?: boolean | undefined;
    readonly OomScoreAdj?: number | undefined;
    readonly PidMode?: string | undefined;
    readonly IpcMode?: string | undefined;
    readonly UTSMode?: string | undefined;
    readonly UsernsMode?: string | undefined;
    readonly CgroupnsMode?: string | undefined;
    readonly Cgroup?: string | undefined;
    readonly PortBindings?: Readonly<Record<string, readonly {
      readonly HostIp?: string | undefined;
      readonly HostPort?: string | undefined;
    }[]>> | undefined;
    readonly PublishAllPorts?: boolean | undefined;
    readonly Privileged?: boolean | undefined;
    readonly ReadonlyRootfs?: boolean | undefined;
    readonly Dns?: readonly string[] | undefined;
    readonly DnsOptions?: readonly string[] | undefined;
    readonly DnsSearch?: readonly string[] | undefined;
    readonly ExtraHosts?: readonly string[] | undefined;
    readonly VolumesFrom?: readonly string[] | undefined;
    readonly CapAdd?: readonly string[] | undefined;
    readonly CapDrop?: readonly string[] | undefined;
    readonly GroupAdd?: readonly string[] | undefined;
    readonly RestartPolicy?: {
      readonly Name?: string | undefined;
      readonly MaximumRetryCount?: number | undefined;
    } | undefined;
    readonly NetworkMode?: string | undefined;
    readonly Devices?: readonly {
      readonly PathOnHost?: string | undefined;
      readonly PathInContainer?: string | undefined;
      readonly CgroupPermissions?: string | undefined;
    }[] | undefined;
    readonly DeviceCgroupRules?: readonly string[] | undefined;
    readonly DeviceRequests?: readonly {
      readonly Driver?: string | undefined;
      readonly Count?: number | undefined;
      readonly DeviceIDs?: readonly string[] | undefined;
      readonly Capabilities?: readonly (readonly string[])[] | undefined;
      readonly Options?: Readonly<Record<string, string>> | undefined;
    }[] | undefined;
    readonly Ulimits?: readonly {
      readonly Name?: string | undefined;
      readonly Soft?: number | undefined;
      readonly Hard?: number | undefined;
    }[] | undefined;
    readonly Sysctls?: Readonly<Record<string, string>> | undefined;
    readonly SecurityOpt?: readonly string[] | undefined;
    readonly StorageOpt?: Readonly<Record<string, string>> | undefined;
    readonly LogConfig?: {
      readonly Type?: string | undefined;
      readonly Config?: Readonly<Record<string, string>> | undefined;
    } | undefined;
    readonly CgroupParent?: string | undefined;
    readonly VolumeDriver?: string | undefined;
    readonly ShmSize?: number | undefined;
    readonly ConsoleSize?: readonly number[] | undefined;
    readonly ContainerIDFile?: string | undefined;
    readonly Runtime?: string | undefined;
    readonly Isolation?: string | undefined;
    readonly Init?: boolean | undefined;
    readonly AutoRemove?: boolean | undefined;
    readonly MaskedPaths?: readonly string[] | undefined;
    readonly ReadonlyPaths?: readonly string[] | undefined;
    readonly Annotations?: Readonly<Record<string, string>> | undefined;
  } | undefined;
  readonly NetworkingConfig?: {
    readonly EndpointsConfig?: Readonly<Record<string, {
      readonly IPAMConfig?: {
        readonly IPv4Address?: string | undefined;
        readonly IPv6Address?: string | undefined;
        readonly LinkLocalIPs?: readonly string[] | undefined;
      } | undefined;
      readonly Links?: readonly string[] | undefined;
      readonly Aliases?: readonly string[] | undefined;
      readonly MacAddress?: string | undefined;
      readonly DriverOpts?: Readonly<Record<string, string>> | undefined;
      readonly GwPriority?: number | undefined;
    }>> | undefined;
  } | undefined;
};

export type ContainerCreated = {
  readonly Id: string;
  readonly Warnings: readonly string[] | null;
};

export type ContainerDetails = {
  readonly Id: string;
  readonly Created: string;
  readonly Path: string;
  readonly Args: readonly string[];
  readonly State: ContainerState;
  readonly Image: string;
  readonly ResolvConfPath: string;
  readonly HostnamePath: string;
  readonly HostsPath: string;
  readonly LogPath: string;
  readonly Name: string;
  readonly RestartCount: number;
  readonly Driver: string;
  readonly Platform: string;
  readonly MountLabel: string;
  readonly ProcessLabel: string;
  readonly AppArmorProfile: string;
  readonly ExecIDs: readonly string[] | null;
  /** as HostConfig of ContainerCreateBody, completed; its fields are not described one by one */
  readonly HostConfig: Readonly<Record<string, unknown>>;
  readonly GraphDriver: {
    readonly Name: string;
    readonly Data: Readonly<Record<string, string>> | null;
  };
  readonly SizeRw?: number | undefined;
  readonly SizeRootFs?: number | undefined;
  readonly Mounts: readonly MountPoint[];
  readonly Config: {
    readonly Hostname: string;
    readonly User: string;
    readonly Tty: boolean;
    readonly OpenStdin: boolean;
    readonly Env: readonly string[] | null;
    readonly Cmd: readonly string[] | null;
    readonly Entrypoint: readonly string[] | null;
    readonly Image: string;
    readonly WorkingDir: string;
    readonly Labels: Readonly<Record<string, string>> | null;
  };
  readonly NetworkSettings: {
    readonly SandboxID: string;
    readonly SandboxKey: string;
    readonly Ports: Readonly<Record<string, readonly {
      readonly HostIp: string;
      readonly HostPort: string;
    }[] | null>>;
    readonly IPAddress: string;
    readonly Gateway: string;
    readonly MacAddress: string;
    readonly Networks: Readonly<Record<string, EndpointSettings>>;
  };
};

export type ContainerState = {
  readonly Status: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  readonly Running: boolean;
  readonly Paused: boolean;
  readonly Restarting: boolean;
  readonly OOMKilled: boolean;
  readonly Dead: boolean;
  readonly Pid: number;
  readonly ExitCode: number;
  readonly Error: string;
  readonly StartedAt: string;
  readonly FinishedAt: string;
  readonly Health?: {
    readonly Status: string;
    readonly FailingStreak: number;
    readonly Log: readonly {
      readonly Start: string;
      readonly End: string;
      readonly ExitCode: number;
      readonly Output: string;
    }[];
  } | undefined;
};

export type ContainerStats = {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly read: string;
  readonly preread?: string | undefined;
  /** counters of the control group, as the version of cgroups has them; not described one by one */
  readonly cpu_stats: Readonly<Record<string, unknown>>;
  /** counters of the control group, as the version of cgroups has them; not described one by one */
  readonly precpu_stats: Readonly<Record<string, unknown>>;
  /** counters of the control group, as the version of cgroups has them; not described one by one */
  readonly memory_stats: Readonly<Record<string, unknown>>;
  /** counters of the control group, as the version of cgroups has them; not described one by one */
  readonly blkio_stats?: Readonly<Record<string, unknown>> | undefined;
  /** counters of the control group, as the version of cgroups has them; not described one by one */
  readonly pids_stats?: Readonly<Record<string, unknown>> | undefined;
  readonly networks?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
};

export type ContainerSummary = {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly Image: string;
  readonly ImageID: string;
  readonly Command: string;
  /** seconds since 1970 */
  readonly Created: number;
  readonly Ports: readonly {
    readonly IP?: string | undefined;
    readonly PrivatePort: number;
    readonly PublicPort?: number | undefined;
    readonly Type: string;
  }[];
  readonly SizeRw?: number | undefined;
  readonly SizeRootFs?: number | undefined;
  readonly Labels: Readonly<Record<string, string>>;
  readonly State: string;
  readonly Status: string;
  readonly HostConfig: {
    readonly NetworkMode: string;
  };
  readonly NetworkSettings: {
    readonly Networks: Readonly<Record<string, EndpointSettings>>;
  };
  readonly Mounts: readonly MountPoint[];
};

export type ContainerUpdateBody = {
  readonly CpuShares?: number | undefined;
  readonly CpuPeriod?: number | undefined;
  readonly CpuQuota?: number | undefined;
  readonly CpuRealtimePeriod?: number | undefined;
  readonly CpuRealtimeRuntime?: number | undefined;
  readonly CpusetCpus?: string | undefined;
  readonly CpusetMems?: string | undefined;
  readonly NanoCpus?: number | undefined;
  readonly Memory?: number | undefined;
  readonly MemorySwap?: number | undefined;
  readonly MemoryReservation?: number | undefined;
  readonly KernelMemory?: number | undefined;
  readonly BlkioWeight?: number | undefined;
  readonly PidsLimit?: number | undefined;
  readonly RestartPolicy?: {
    readonly Name?: string | undefined;
    readonly MaximumRetryCount?: number | undefined;
  } | undefined;
};

export type ContainerUpdated = {
  readonly Warnings: readonly string[] | null;
};

export type ContainersPruned = {
  readonly ContainersDeleted: readonly string[] | null;
  readonly SpaceReclaimed: number;
};

export type DiskUsage = {
  readonly LayersSize: number;
  readonly Images: readonly Readonly<Record<string, unknown>>[] | null;
  readonly Containers: readonly Readonly<Record<string, unknown>>[] | null;
  readonly Volumes: readonly Readonly<Record<string, unknown>>[] | null;
  readonly BuildCache: readonly Readonly<Record<string, unknown>>[] | null;
};

export type DistributionDetails = {
  readonly Descriptor: {
    readonly mediaType: string;
    readonly digest: string;
    readonly size: number;
  };
  readonly Platforms: readonly Readonly<Record<string, unknown>>[];
};

export type EndpointSettings = {
  readonly IPAMConfig: Readonly<Record<string, unknown>> | null;
  readonly Links: readonly string[] | null;
  readonly Aliases: readonly string[] | null;
  readonly DriverOpts: Readonly<Record<string, string>> | null;
  readonly GwPriority: number;
  readonly NetworkID: string;
  readonly EndpointID: string;
  readonly Gateway: string;
  readonly IPAddress: string;
  readonly IPPrefixLen: number;
  readonly IPv6Gateway: string;
  readonly GlobalIPv6Address: string;
  readonly GlobalIPv6PrefixLen: number;
  readonly MacAddress: string;
  readonly DNSNames: readonly string[] | null;
};

export type EngineEvent = {
  readonly Type: string;
  readonly Action: string;
  readonly Actor: {
    readonly ID: string;
    readonly Attributes: Readonly<Record<string, string>>;
  };
  readonly scope?: string | undefined;
  readonly time: number;
  /** exceeds the precision of floating point numbers */
  readonly timeNano: number;
  readonly status?: string | undefined;
  readonly id?: string | undefined;
  readonly from?: string | undefined;
};

export type Error = {
  readonly message: string;
};

export type ExecCreateBody = {
  readonly AttachStdin?: boolean | undefined;
  readonly AttachStdout?: boolean | undefined;
  readonly AttachStderr?: boolean | undefined;
  readonly DetachKeys?: string | undefined;
  readonly Tty?: boolean | undefined;
  readonly Cmd?: readonly string[] | string | undefined;
  readonly Privileged?: boolean | undefined;
  readonly User?: string | undefined;
  readonly Env?: readonly string[] | undefined;
  readonly WorkingDir?: string | undefined;
  readonly ConsoleSize?: readonly number[] | null | undefined;
};

export type ExecCreated = {
  readonly Id: string;
  readonly Warnings?: readonly string[] | undefined;
};

export type ExecDetails = {
  readonly ID: string;
  readonly ContainerID: string;
  readonly Running: boolean;
  readonly ExitCode: number | null;
  readonly CanRemove: boolean;
  readonly DetachKeys: string;
  readonly OpenStdin: boolean;
  readonly OpenStdout: boolean;
  readonly OpenStderr: boolean;
  readonly Pid: number;
  readonly ProcessConfig: {
    readonly entrypoint: string;
    readonly arguments: readonly string[];
    readonly tty: boolean;
    readonly privileged?: boolean | undefined;
    readonly user?: string | undefined;
  };
};

export type ExecStartBody = {
  readonly Detach?: boolean | undefined;
  readonly Tty?: boolean | undefined;
  readonly ConsoleSize?: readonly number[] | null | undefined;
};

export type ExitStatus = {
  readonly StatusCode: number;
  readonly Error?: {
    readonly Message: string;
  } | null | undefined;
};

export type FileChange = {
  readonly Path: string;
  /** 0 changed, 1 added, 2 deleted */
  readonly Kind: number;
};

export type ImageCommitted = {
  readonly Id: string;
};

export type ImageDetails = {
  readonly Id: string;
  readonly RepoTags: readonly string[];
  readonly RepoDigests: readonly string[];
  readonly Parent: string;
  readonly Comment: string;
  readonly Created: string;
  readonly Author: string;
  readonly Config: {
    readonly User?: string | undefined;
    readonly Env: readonly string[] | null;
    readonly Cmd: readonly string[] | null;
    readonly Entrypoint: readonly string[] | null;
    readonly WorkingDir: string;
    readonly Labels: Readonly<Record<string, string>> | null;
    readonly ExposedPorts?: Readonly<Record<string, unknown>> | undefined;
  };
  readonly Architecture: string;
  readonly Os: string;
  readonly Size: number;
  readonly GraphDriver: {
    readonly Name: string;
    readonly Data: Readonly<Record<string, string>> | null;
  };
  readonly RootFS: {
    readonly Type: string;
    readonly Layers: readonly string[];
  };
  readonly Metadata: {
    readonly LastTagTime: string;
  };
};

export type ImageHistoryItem = {
  readonly Id: string;
  readonly Created: number;
  readonly CreatedBy: string;
  readonly Tags: readonly string[] | null;
  readonly Size: number;
  readonly Comment: string;
};

export type ImageRemoved = {
  readonly Untagged?: string | undefined;
  readonly Deleted?: string | undefined;
};

export type ImageSummary = {
  readonly Id: string;
  readonly ParentId: string;
  readonly RepoTags: readonly string[] | null;
  readonly RepoDigests: readonly string[] | null;
  /** seconds since 1970 */
  readonly Created: number;
  readonly Size: number;
  /** -1 where it was not asked for */
  readonly SharedSize: number;
  readonly Containers: number;
  readonly Labels: Readonly<Record<string, string>> | null;
};

export type ImagesPruned = {
  readonly ImagesDeleted: readonly ImageRemoved[] | null;
  readonly SpaceReclaimed: number;
};

export type LoginBody = {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly serveraddress?: string | undefined;
  readonly identitytoken?: string | undefined;
  readonly registrytoken?: string | undefined;
  readonly auth?: string | undefined;
  readonly email?: string | undefined;
};

export type LoginResult = {
  readonly Status: string;
  readonly IdentityToken: string;
};

export type MountPoint = {
  readonly Type: string;
  readonly Name?: string | undefined;
  readonly Source: string;
  readonly Destination: string;
  readonly Driver?: string | undefined;
  readonly Mode: string;
  readonly RW: boolean;
  readonly Propagation: string;
};

export type NetworkConnectBody = {
  readonly Container?: string | undefined;
  readonly EndpointConfig?: {
    readonly IPAMConfig?: {
      readonly IPv4Address?: string | undefined;
      readonly IPv6Address?: string | undefined;
      readonly LinkLocalIPs?: readonly string[] | undefined;
    } | undefined;
    readonly Links?: readonly string[] | undefined;
    readonly Aliases?: readonly string[] | undefined;
    readonly MacAddress?: string | undefined;
    readonly DriverOpts?: Readonly<Record<string, string>> | undefined;
    readonly GwPriority?: number | undefined;
  } | undefined;
};

export type NetworkCreateBody = {
  readonly Name?: string | undefined;
  readonly CheckDuplicate?: boolean | undefined;
  readonly Driver?: string | undefined;
  readonly Internal?: boolean | undefined;
  readonly EnableIPv4?: boolean | undefined;
  readonly EnableIPv6?: boolean | undefined;
  readonly Scope?: string | undefined;
  readonly Attachable?: boolean | undefined;
  readonly Ingress?: boolean | undefined;
  readonly ConfigOnly?: boolean | undefined;
  readonly ConfigFrom?: {
    readonly Network?: string | undefined;
  } | undefined;
  readonly IPAM?: {
    readonly Driver?: string | undefined;
    readonly Config?: readonly {
      readonly Subnet?: string | undefined;
      readonly IPRange?: string | undefined;
      readonly Gateway?: string | undefined;
      readonly AuxAddress?: Readonly<Record<string, string>> | undefined;
      readonly AuxiliaryAddresses?: Readonly<Record<string, string>> | undefined;
    }[] | undefined;
    readonly Options?: Readonly<Record<string, string>> | undefined;
  } | undefined;
  readonly Options?: Readonly<Record<string, string>> | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
};

export type NetworkCreated = {
  readonly Id: string;
  readonly Warning: string;
};

export type NetworkDetails = {
  readonly Name: string;
  readonly Id: string;
  readonly Created: string;
  readonly Scope: string;
  readonly Driver: string;
  readonly EnableIPv4: boolean;
  readonly EnableIPv6: boolean;
  readonly IPAM: {
    readonly Driver: string;
    readonly Options: Readonly<Record<string, string>> | null;
    readonly Config: readonly {
      readonly Subnet?: string | undefined;
      readonly IPRange?: string | undefined;
      readonly Gateway?: string | undefined;
      readonly AuxiliaryAddresses?: Readonly<Record<string, string>> | undefined;
    }[] | null;
  };
  readonly Internal: boolean;
  readonly Attachable: boolean;
  readonly Ingress: boolean;
  readonly ConfigFrom: {
    readonly Network: string;
  };
  readonly ConfigOnly: boolean;
  readonly Containers: Readonly<Record<string, {
    readonly Name: string;
    readonly EndpointID: string;
    readonly MacAddress: string;
    readonly IPv4Address: string;
    readonly IPv6Address: string;
  }>>;
  readonly Options: Readonly<Record<string, string>> | null;
  readonly Labels: Readonly<Record<string, string>> | null;
  readonly Peers?: readonly {
    readonly Name: string;
    readonly IP: string;
  }[] | undefined;
};

export type NetworkDisconnectBody = {
  readonly Container?: string | undefined;
  readonly Force?: boolean | undefined;
};

export type NetworksPruned = {
  readonly NetworksDeleted: readonly string[] | null;
};

export type NodeDetails = {
  readonly ID: string;
  readonly Version: {
    readonly Index: number;
  };
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Spec: Readonly<Record<string, unknown>>;
  readonly Description: Readonly<Record<string, unknown>>;
  readonly Status: Readonly<Record<string, unknown>>;
  readonly ManagerStatus?: Readonly<Record<string, unknown>> | undefined;
};

export type NodeSpec = {
  readonly Name?: string | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly Role?: string | undefined;
  readonly Availability?: string | undefined;
};

export type ObjectCreated = {
  readonly ID: string;
};

export type PluginDetails = {
  readonly Id: string;
  readonly Name: string;
  readonly Enabled: boolean;
  readonly PluginReference: string;
  readonly Settings: Readonly<Record<string, unknown>>;
  readonly Config: Readonly<Record<string, unknown>>;
};

export type PluginPrivileges = readonly {
  readonly Name: string;
  readonly Description?: string | undefined;
  readonly Value: readonly string[];
}[] | null;

export type ProcessList = {
  readonly Titles: readonly string[];
  readonly Processes: readonly (readonly string[])[];
};

export type ProgressItem = {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  readonly stream?: string | undefined;
  readonly progress?: string | undefined;
  readonly progressDetail?: {
    readonly current?: number | undefined;
    readonly total?: number | undefined;
  } | undefined;
  /** the last object of what failed */
  readonly error?: string | undefined;
  readonly errorDetail?: {
    readonly message: string;
    readonly code?: number | undefined;
  } | undefined;
  readonly aux?: unknown | undefined;
};

export type SealedDetails = {
  readonly ID: string;
  readonly Version: {
    readonly Index: number;
  };
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Spec: Readonly<Record<string, unknown>>;
};

export type SealedSpec = {
  readonly Name?: string | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly Data?: string | undefined;
  readonly Driver?: {
    readonly Name?: string | undefined;
    readonly Options?: Readonly<Record<string, string>> | undefined;
  } | undefined;
  readonly Templating?: {
    readonly Name?: string | undefined;
    readonly Options?: Readonly<Record<string, string>> | undefined;
  } | undefined;
};

export type SearchResult = {
  readonly name: string;
  readonly description: string;
  readonly star_count: number;
  readonly is_official: boolean;
  readonly is_automated: boolean;
};

export type ServiceCreated = {
  readonly ID: string;
  readonly Warnings?: readonly string[] | null | undefined;
};

export type ServiceDetails = {
  readonly ID: string;
  readonly Version: {
    readonly Index: number;
  };
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  /** as ServiceSpec, completed */
  readonly Spec: Readonly<Record<string, unknown>>;
  readonly Endpoint?: Readonly<Record<string, unknown>> | undefined;
  readonly ServiceStatus?: {
    readonly RunningTasks: number;
    readonly DesiredTasks: number;
  } | undefined;
};

export type ServiceSpec = {
  readonly Name?: string | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly TaskTemplate?: {
    readonly ContainerSpec?: {
      readonly Image?: string | undefined;
      readonly Labels?: Readonly<Record<string, string>> | undefined;
      readonly Command?: readonly string[] | undefined;
      readonly Args?: readonly string[] | undefined;
      readonly Hostname?: string | undefined;
      readonly Env?: readonly string[] | undefined;
      readonly Dir?: string | undefined;
      readonly User?: string | undefined;
      readonly Groups?: readonly string[] | undefined;
      readonly Privileges?: {
        readonly CredentialSpec?: {
          readonly Config?: string | undefined;
          readonly File?: string | undefined;
          readonly Registry?: string | undefined;
        } | undefined;
        readonly SELinuxContext?: {
          readonly Disable?: boolean | undefined;
          readonly User?: string | undefined;
          readonly Role?: string | undefined;
          readonly Type?: string | undefined;
          readonly Level?: string | undefined;
        } | undefined;
        readonly Seccomp?: {
          readonly Mode?: string | undefined;
          readonly Profile?: string | undefined;
        } | undefined;
        readonly AppArmor?: {
          readonly Mode?: string | undefined;
        } | undefined;
        readonly NoNewPrivileges?: boolean | undefined;
      } | undefined;
      readonly Init?: boolean | undefined;
      readonly StopSignal?: string | undefined;
      readonly TTY?: boolean | undefined;
      readonly OpenStdin?: boolean | undefined;
      readonly ReadOnly?: boolean | undefined;
      readonly Mounts?: readonly {
        readonly Type?: string | undefined;
        readonly Source?: string | undefined;
        readonly Target?: string | undefined;
        readonly ReadOnly?: boolean | undefined;
        readonly Consistency?: string | undefined;
        readonly BindOptions?: {
          readonly Propagation?: string | undefined;
          readonly NonRecursive?: boolean | undefined;
          readonly CreateMountpoint?: boolean | undefined;
          readonly ReadOnlyNonRecursive?: boolean | undefined;
          readonly ReadOnlyForceRecursive?: boolean | undefined;
        } | undefined;
        readonly VolumeOptions?: {
          readonly NoCopy?: boolean | undefined;
          readonly Subpath?: string | undefined;
          readonly Labels?: Readonly<Record<string, string>> | undefined;
          readonly DriverConfig?: {
            readonly Name?: string | undefined;
            readonly Options?: Readonly<Record<string, string>> | undefined;
          } | undefined;
        } | undefined;
        readonly TmpfsOptions?: {
          readonly SizeBytes?: number | undefined;
          readonly Mode?: number | undefined;
          readonly Options?: readonly (readonly string[])[] | undefined;
        } | undefined;
        readonly ClusterOptions?: Readonly<Record<string, unknown>> | undefined;
        readonly ImageOptions?: {
          readonly Subpath?: string | undefined;
        } | undefined;
      }[] | undefined;
      readonly StopGracePeriod?: number | undefined;
      readonly Healthcheck?: {
        readonly Test?: readonly string[] | undefined;
        readonly Interval?: number | undefined;
        readonly Timeout?: number | undefined;
        readonly StartPeriod?: number | undefined;
        readonly StartInterval?: number | undefined;
        readonly Retries?: number | undefined;
      } | undefined;
      readonly Hosts?: readonly string[] | undefined;
      readonly DNSConfig?: {
        readonly Nameservers?: readonly string[] | undefined;
        readonly Search?: readonly string[] | undefined;
        readonly Options?: readonly string[] | undefined;
      } | undefined;
      readonly Secrets?: readonly {
        readonly SecretID?: string | undefined;
        readonly SecretName?: string | undefined;
        readonly File?: {
          readonly Name?: string | undefined;
          readonly UID?: string | undefined;
          readonly GID?: string | undefined;
          readonly Mode?: number | undefined;
        } | undefined;
      }[] | undefined;
      readonly Configs?: readonly {
        readonly ConfigID?: string | undefined;
        readonly ConfigName?: string | undefined;
        readonly File?: {
          readonly Name?: string | undefined;
          readonly UID?: string | undefined;
          readonly GID?: string | undefined;
          readonly Mode?: number | undefined;
        } | undefined;
        readonly Runtime?: Readonly<Record<string, unknown>> | undefined;
      }[] | undefined;
      readonly Isolation?: string | undefined;
      readonly Sysctls?: Readonly<Record<string, string>> | undefined;
      readonly CapabilityAdd?: readonly string[] | undefined;
      readonly CapabilityDrop?: readonly string[] | undefined;
      readonly Ulimits?: readonly {
        readonly Name?: string | undefined;
        readonly Soft?: number | undefined;
        readonly Hard?: number | undefined;
      }[] | undefined;
      readonly OomScoreAdj?: number | undefined;
    } | undefined;
    readonly PluginSpec?: Readonly<Record<string, unknown>> | undefined;
    readonly NetworkAttachmentSpec?: Readonly<Record<string, unknown>> | undefined;
    readonly Resources?: {
      readonly Limits?: {
        readonly NanoCPUs?: number | undefined;
        readonly MemoryBytes?: number | undefined;
        readonly Pids?: number | undefined;
        readonly GenericResources?: readonly {
          readonly NamedResourceSpec?: {
            readonly Kind?: string | undefined;
            readonly Value?: string | undefined;
          } | undefined;
          readonly DiscreteResourceSpec?: {
            readonly Kind?: string | undefined;
            readonly Value?: number | undefined;
          } | undefined;
        }[] | undefined;
      } | undefined;
      readonly Reservations?: {
        readonly NanoCPUs?: number | undefined;
        readonly MemoryBytes?: number | undefined;
        readonly GenericResources?: readonly {
          readonly NamedResourceSpec?: {
            readonly Kind?: string | undefined;
            readonly Value?: string | undefined;
          } | undefined;
          readonly DiscreteResourceSpec?: {
            readonly Kind?: string | undefined;
            readonly Value?: number | undefined;
          } | undefined;
        }[] | undefined;
      } | undefined;
    } | undefined;
    readonly RestartPolicy?: {
      readonly Condition?: string | undefined;
      readonly Delay?: number | undefined;
      readonly MaxAttempts?: number | undefined;
      readonly Window?: number | undefined;
    } | undefined;
    readonly Placement?: {
      readonly Constraints?: readonly string[] | undefined;
      readonly Preferences?: readonly {
        readonly Spread?: {
          readonly SpreadDescriptor?: string | undefined;
        } | undefined;
      }[] | undefined;
      readonly MaxReplicas?: number | undefined;
      readonly Platforms?: readonly {
        readonly Architecture?: string | undefined;
        readonly OS?: string | undefined;
      }[] | undefined;
    } | undefined;
    readonly Networks?: readonly {
      readonly Target?: string | undefined;
      readonly Aliases?: readonly string[] | undefined;
      readonly DriverOpts?: Readonly<Record<string, string>> | undefined;
    }[] | undefined;
    readonly LogDriver?: {
      readonly Name?: string | undefined;
      readonly Options?: Readonly<Record<string, string>> | undefined;
    } | undefined;
    readonly ForceUpdate?: number | undefined;
    readonly Runtime?: string | undefined;
  } | undefined;
  readonly Mode?: {
    readonly Replicated?: {
      readonly Replicas?: number | undefined;
    } | undefined;
    readonly Global?: Readonly<Record<string, unknown>> | undefined;
    readonly ReplicatedJob?: {
      readonly MaxConcurrent?: number | undefined;
      readonly TotalCompletions?: number | undefined;
    } | undefined;
    readonly GlobalJob?: Readonly<Record<string, unknown>> | undefined;
  } | undefined;
  readonly UpdateConfig?: {
    readonly Parallelism?: number | undefined;
    readonly Delay?: number | undefined;
    readonly FailureAction?: string | undefined;
    readonly Monitor?: number | undefined;
    readonly MaxFailureRatio?: number | undefined;
    readonly Order?: string | undefined;
  } | undefined;
  readonly RollbackConfig?: {
    readonly Parallelism?: number | undefined;
    readonly Delay?: number | undefined;
    readonly FailureAction?: string | undefined;
    readonly Monitor?: number | undefined;
    readonly MaxFailureRatio?: number | undefined;
    readonly Order?: string | undefined;
  } | undefined;
  readonly Networks?: readonly {
    readonly Target?: string | undefined;
    readonly Aliases?: readonly string[] | undefined;
    readonly DriverOpts?: Readonly<Record<string, string>> | undefined;
  }[] | undefined;
  readonly EndpointSpec?: {
    readonly Mode?: string | undefined;
    readonly Ports?: readonly {
      readonly Name?: string | undefined;
      readonly Protocol?: string | undefined;
      readonly TargetPort?: number | undefined;
      readonly PublishedPort?: number | undefined;
      readonly PublishMode?: string | undefined;
    }[] | undefined;
  } | undefined;
};

export type ServiceUpdated = {
  readonly Warnings?: readonly string[] | null | undefined;
};

export type SwarmDetails = {
  readonly ID: string;
  readonly Version: {
    readonly Index: number;
  };
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Spec: Readonly<Record<string, unknown>>;
  readonly JoinTokens?: Readonly<Record<string, unknown>> | undefined;
};

export type SwarmInitBody = {
  readonly ListenAddr?: string | undefined;
  readonly AdvertiseAddr?: string | undefined;
  readonly DataPathAddr?: string | undefined;
  readonly DataPathPort?: number | undefined;
  readonly DefaultAddrPool?: readonly string[] | undefined;
  readonly SubnetSize?: number | undefined;
  readonly ForceNewCluster?: boolean | undefined;
  readonly Availability?: 'active' | 'pause' | 'drain' | '' | undefined;
  readonly Spec?: {
    readonly Name?: string | undefined;
    readonly Labels?: Readonly<Record<string, string>> | undefined;
    readonly Orchestration?: {
      readonly TaskHistoryRetentionLimit?: number | undefined;
    } | undefined;
    readonly Raft?: {
      readonly SnapshotInterval?: number | undefined;
      readonly KeepOldSnapshots?: number | undefined;
      readonly LogEntriesForSlowFollowers?: number | undefined;
      readonly ElectionTick?: number | undefined;
      readonly HeartbeatTick?: number | undefined;
    } | undefined;
    readonly Dispatcher?: {
      readonly HeartbeatPeriod?: number | undefined;
    } | undefined;
    readonly CAConfig?: {
      readonly NodeCertExpiry?: number | undefined;
      readonly ExternalCAs?: readonly {
        readonly Protocol?: string | undefined;
        readonly URL?: string | undefined;
        readonly Options?: Readonly<Record<string, string>> | undefined;
        readonly CACert?: string | undefined;
      }[] | undefined;
      readonly SigningCACert?: string | undefined;
      readonly SigningCAKey?: string | undefined;
      readonly ForceRotate?: number | undefined;
    } | undefined;
    readonly TaskDefaults?: {
      readonly LogDriver?: {
        readonly Name?: string | undefined;
        readonly Options?: Readonly<Record<string, string>> | undefined;
      } | undefined;
    } | undefined;
    readonly EncryptionConfig?: {
      readonly AutoLockManagers?: boolean | undefined;
    } | undefined;
  } | undefined;
};

export type SwarmJoinBody = {
  readonly ListenAddr?: string | undefined;
  readonly AdvertiseAddr?: string | undefined;
  readonly DataPathAddr?: string | undefined;
  readonly RemoteAddrs?: readonly string[] | undefined;
  readonly JoinToken?: string | undefined;
  readonly Availability?: 'active' | 'pause' | 'drain' | '' | undefined;
};

export type SwarmUnlockBody = {
  readonly UnlockKey: string;
};

export type SwarmUpdateBody = {
  readonly Name?: string | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly Orchestration?: {
    readonly TaskHistoryRetentionLimit?: number | undefined;
  } | undefined;
  readonly Raft?: {
    readonly SnapshotInterval?: number | undefined;
    readonly KeepOldSnapshots?: number | undefined;
    readonly LogEntriesForSlowFollowers?: number | undefined;
    readonly ElectionTick?: number | undefined;
    readonly HeartbeatTick?: number | undefined;
  } | undefined;
  readonly Dispatcher?: {
    readonly HeartbeatPeriod?: number | undefined;
  } | undefined;
  readonly CAConfig?: {
    readonly NodeCertExpiry?: number | undefined;
    readonly ExternalCAs?: readonly {
      readonly Protocol?: string | undefined;
      readonly URL?: string | undefined;
      readonly Options?: Readonly<Record<string, string>> | undefined;
      readonly CACert?: string | undefined;
    }[] | undefined;
    readonly SigningCACert?: string | undefined;
    readonly SigningCAKey?: string | undefined;
    readonly ForceRotate?: number | undefined;
  } | undefined;
  readonly TaskDefaults?: {
    readonly LogDriver?: {
      readonly Name?: string | undefined;
      readonly Options?: Readonly<Record<string, string>> | undefined;
    } | undefined;
  } | undefined;
  readonly EncryptionConfig?: {
    readonly AutoLockManagers?: boolean | undefined;
  } | undefined;
  readonly JoinTokens?: {
    readonly Worker?: string | undefined;
    readonly Manager?: string | undefined;
  } | undefined;
};

export type SystemInfo = {
  readonly ID: string;
  readonly Name: string;
  readonly ServerVersion: string;
  readonly Architecture: string;
  readonly OSType: string;
  readonly OperatingSystem: string;
  readonly OSVersion: string;
  readonly KernelVersion: string;
  readonly NCPU: number;
  readonly MemTotal: number;
  readonly SystemTime: string;
  readonly Containers: number;
  readonly ContainersRunning: number;
  readonly ContainersPaused: number;
  readonly ContainersStopped: number;
  readonly Images: number;
  readonly Driver: string;
  readonly DriverStatus: readonly (readonly string[])[] | null;
  readonly Plugins: {
    readonly Volume: readonly string[];
    readonly Network: readonly string[];
    readonly Authorization: readonly string[] | null;
    readonly Log: readonly string[];
  };
  readonly LoggingDriver: string;
  readonly CgroupDriver: string;
  readonly CgroupVersion: string;
  readonly DefaultRuntime: string;
  readonly Runtimes: Readonly<Record<string, unknown>>;
  readonly SecurityOptions: readonly string[] | null;
  readonly Labels: readonly string[] | null;
  readonly Debug: boolean;
  readonly ExperimentalBuild: boolean;
  readonly LiveRestoreEnabled: boolean;
  readonly Swarm: Readonly<Record<string, unknown>>;
  readonly Warnings: readonly string[] | null;
};

export type SystemVersion = {
  readonly Platform: {
    readonly Name: string;
  };
  readonly Components: readonly {
    readonly Name: string;
    readonly Version: string;
    readonly Details?: Readonly<Record<string, string>> | undefined;
  }[];
  readonly Version: string;
  readonly ApiVersion: string;
  readonly MinAPIVersion: string;
  readonly GitCommit: string;
  readonly GoVersion: string;
  readonly Os: string;
  readonly Arch: string;
  readonly KernelVersion: string;
  readonly BuildTime: string;
};

export type TaskDetails = {
  readonly ID: string;
  readonly Version: {
    readonly Index: number;
  };
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Spec: Readonly<Record<string, unknown>>;
  readonly ServiceID: string;
  readonly NodeID?: string | undefined;
  readonly Status: Readonly<Record<string, unknown>>;
  readonly DesiredState: string;
};

export type UnlockKey = {
  readonly UnlockKey: string;
};

export type VolumeCreateBody = {
  readonly Name?: string | undefined;
  readonly Driver?: string | undefined;
  readonly DriverOpts?: Readonly<Record<string, string>> | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly ClusterVolumeSpec?: unknown | undefined;
};

export type VolumeDetails = {
  readonly Name: string;
  readonly Driver: string;
  readonly Mountpoint: string;
  readonly Labels: Readonly<Record<string, string>> | null;
  readonly Options: Readonly<Record<string, string>> | null;
  readonly Scope: string;
  readonly CreatedAt?: string | undefined;
  readonly Status?: unknown | undefined;
};

export type VolumeList = {
  readonly Volumes: readonly VolumeDetails[] | null;
  readonly Warnings: readonly string[] | null;
};

export type VolumesPruned = {
  readonly VolumesDeleted: readonly string[] | null;
  readonly SpaceReclaimed: number;
};

/** What each route takes and answers. */
export interface Routes {
  /** Answers OK; headers say which version of the API there is. */
  'GET /_ping': {
    readonly options: {  };
    readonly bytes: 'text';
  };
  /** Checks credentials with a registry. */
  'POST /auth': {
    readonly options: { readonly body: LoginBody; };
    readonly answer: LoginResult;
  };
  /** Builds an image from an archive with a build file, or from a session of BuildKit. */
  'POST /build': {
    readonly options: { readonly query?: { readonly t?: readonly string[] | undefined; readonly buildfile?: string | undefined; readonly remote?: string | undefined; readonly target?: string | undefined; readonly buildargs?: Readonly<Record<string, string | null>> | undefined; readonly labels?: Readonly<Record<string, string>> | undefined; readonly cachefrom?: readonly string[] | undefined; readonly ulimits?: readonly {
  readonly Name: string;
  readonly Soft: number;
  readonly Hard: number;
}[] | undefined; readonly extrahosts?: readonly string[] | undefined; readonly q?: boolean | undefined; readonly nocache?: boolean | undefined; readonly pull?: boolean | undefined; readonly rm?: boolean | undefined; readonly forcerm?: boolean | undefined; readonly memory?: number | undefined; readonly memswap?: number | undefined; readonly cpushares?: number | undefined; readonly cpuperiod?: number | undefined; readonly cpuquota?: number | undefined; readonly cpusetcpus?: string | undefined; readonly cpusetmems?: string | undefined; readonly shmsize?: number | undefined; readonly cgroupparent?: string | undefined; readonly networkmode?: string | undefined; readonly platform?: string | undefined; readonly isolation?: string | undefined; readonly squash?: boolean | undefined; readonly securityopt?: readonly string[] | undefined; readonly version?: string | undefined; readonly session?: string | undefined; readonly buildid?: string | undefined; readonly outputs?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Config'?: string | undefined; }; readonly body?: Archive | undefined; };
    readonly items: Readonly<Record<string, unknown>>;
  };
  /** Deletes the cache of builds. */
  'POST /build/prune': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; readonly 'keep-storage'?: number | undefined; readonly 'reserved-space'?: number | undefined; readonly 'max-used-space'?: number | undefined; readonly 'min-free-space'?: number | undefined; }; };
    readonly answer: BuildCachePruned;
  };
  /** Makes an image of a container. */
  'POST /commit': {
    readonly options: { readonly query?: { readonly container?: string | undefined; readonly repo?: string | undefined; readonly tag?: string | undefined; readonly comment?: string | undefined; readonly author?: string | undefined; readonly pause?: boolean | undefined; readonly changes?: readonly string[] | undefined; }; readonly body?: unknown | undefined; };
    readonly answer: ImageCommitted;
  };
  /** Lists configs. */
  'GET /configs': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly SealedDetails[];
  };
  /** Creates a config. */
  'POST /configs/create': {
    readonly options: { readonly body: SealedSpec; };
    readonly answer: ObjectCreated;
  };
  /** Describes a config. */
  'GET /configs/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: SealedDetails;
  };
  /** Deletes a config. */
  'DELETE /configs/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: undefined;
  };
  /** Changes the labels of a config. */
  'POST /configs/{id}/update': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly version: number; }; readonly body: SealedSpec; };
    readonly answer: undefined;
  };
  /** Creates a container. */
  'POST /containers/create': {
    readonly options: { readonly query?: { readonly name?: string | undefined; readonly platform?: string | undefined; }; readonly body: ContainerCreateBody; };
    readonly answer: ContainerCreated;
  };
  /** Lists containers. */
  'GET /containers/json': {
    readonly options: { readonly query?: { readonly all?: boolean | undefined; readonly size?: boolean | undefined; readonly limit?: number | undefined; readonly since?: string | undefined; readonly before?: string | undefined; readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly ContainerSummary[];
  };
  /** Removes containers that do not run. */
  'POST /containers/prune': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: ContainersPruned;
  };
  /** Describes a file, as JSON in base64 in the header X-Engine-Container-Path-Stat. */
  'HEAD /containers/{id}/archive': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly path: string; }; };
    readonly answer: undefined;
  };
  /** Archives a file, or a directory with what is below it. */
  'GET /containers/{id}/archive': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly path: string; }; };
    readonly bytes: 'raw';
  };
  /** Unpacks an archive in a directory. */
  'PUT /containers/{id}/archive': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly path: string; readonly noOverwriteDirNonDir?: boolean | undefined; readonly copyUIDGID?: boolean | undefined; }; readonly body: Archive; };
    readonly answer: undefined;
  };
  /** Connects with the streams of a container; the connection is raw behind the head. */
  'POST /containers/{id}/attach': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly logs?: boolean | undefined; readonly stream?: boolean | undefined; readonly stdin?: boolean | undefined; readonly stdout?: boolean | undefined; readonly stderr?: boolean | undefined; readonly detachKeys?: string | undefined; }; };
    readonly bytes: 'raw';
  };
  /** The same over a WebSocket, whose messages are raw output and input. */
  'GET /containers/{id}/attach/ws': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly logs?: boolean | undefined; readonly stream?: boolean | undefined; readonly stdin?: boolean | undefined; readonly stdout?: boolean | undefined; readonly stderr?: boolean | undefined; readonly detachKeys?: string | undefined; }; };
    readonly bytes: 'raw';
  };
  /** Lists what differs from the image. */
  'GET /containers/{id}/changes': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: readonly FileChange[] | null;
  };
  /** Prepares a further process in a container. */
  'POST /containers/{id}/exec': {
    readonly options: { readonly path: { readonly id: string; }; readonly body: ExecCreateBody; };
    readonly answer: ExecCreated;
  };
  /** Archives the root file system of a container. */
  'GET /containers/{id}/export': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly bytes: 'raw';
  };
  /** Describes a container. */
  'GET /containers/{id}/json': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly size?: boolean | undefined; }; };
    readonly answer: ContainerDetails;
  };
  /** Sends a signal to a container. */
  'POST /containers/{id}/kill': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly signal?: string | undefined; }; };
    readonly answer: undefined;
  };
  /** Sends what a container wrote. */
  'GET /containers/{id}/logs': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly stdout?: boolean | undefined; readonly stderr?: boolean | undefined; readonly since?: string | undefined; readonly until?: string | undefined; readonly tail?: string | undefined; readonly follow?: boolean | undefined; readonly timestamps?: boolean | undefined; readonly details?: boolean | undefined; }; };
    readonly bytes: 'raw';
  };
  /** Freezes the processes of a container. */
  'POST /containers/{id}/pause': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: undefined;
  };
  /** Renames a container. */
  'POST /containers/{id}/rename': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly name?: string | undefined; }; };
    readonly answer: undefined;
  };
  /** Resizes the terminal of a container. */
  'POST /containers/{id}/resize': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly h?: number | undefined; readonly w?: number | undefined; }; };
    readonly answer: undefined;
  };
  /** Stops a container and starts it again. */
  'POST /containers/{id}/restart': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly t?: number | undefined; readonly signal?: string | undefined; }; };
    readonly answer: undefined;
  };
  /** Starts a container; 304 when it runs already. */
  'POST /containers/{id}/start': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly detachKeys?: string | undefined; }; };
    readonly answer: undefined;
  };
  /** Measures a container, about once each second. */
  'GET /containers/{id}/stats': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly stream?: boolean | undefined; readonly 'one-shot'?: boolean | undefined; }; };
    readonly items: ContainerStats;
  };
  /** Stops a container; 304 when it does not run. */
  'POST /containers/{id}/stop': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly t?: number | undefined; readonly signal?: string | undefined; }; };
    readonly answer: undefined;
  };
  /** Lists the processes of a container. */
  'GET /containers/{id}/top': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly ps_args?: string | undefined; }; };
    readonly answer: ProcessList;
  };
  /** Thaws them. */
  'POST /containers/{id}/unpause': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: undefined;
  };
  /** Changes limits and the restart policy of a container. */
  'POST /containers/{id}/update': {
    readonly options: { readonly path: { readonly id: string; }; readonly body: ContainerUpdateBody; };
    readonly answer: ContainerUpdated;
  };
  /** Waits for the exit of a container; the head of the answer comes when the engine waits. */
  'POST /containers/{id}/wait': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly condition?: string | undefined; }; };
    readonly answer: ExitStatus;
  };
  /** Removes a container. */
  'DELETE /containers/{name}': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly force?: boolean | undefined; readonly v?: boolean | undefined; readonly link?: boolean | undefined; }; };
    readonly answer: undefined;
  };
  /** Describes an image of a registry. */
  'GET /distribution/{name}/json': {
    readonly options: { readonly path: { readonly name: string; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; };
    readonly answer: DistributionDetails;
  };
  /** Examines host and engine. */
  'GET /doctor': {
    readonly options: {  };
    readonly answer: unknown;
  };
  /** Sends what happens, and what happened. */
  'GET /events': {
    readonly options: { readonly query?: { readonly since?: string | undefined; readonly until?: string | undefined; readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly items: EngineEvent;
  };
  /** Describes it. */
  'GET /exec/{id}/json': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: ExecDetails;
  };
  /** Resizes its terminal. */
  'POST /exec/{id}/resize': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly h: number; readonly w: number; }; };
    readonly answer: undefined;
  };
  /** Starts it; unless detached, the connection is raw behind the head. */
  'POST /exec/{id}/start': {
    readonly options: { readonly path: { readonly id: string; }; readonly body?: ExecStartBody | undefined; };
    readonly bytes: 'raw';
  };
  /** Serves the control service of BuildKit. */
  'POST /grpc': {
    readonly options: {  };
    readonly bytes: 'raw';
  };
  /** Pulls an image, or imports an archive as one. */
  'POST /images/create': {
    readonly options: { readonly query?: { readonly fromImage?: string | undefined; readonly tag?: string | undefined; readonly fromSrc?: string | undefined; readonly repo?: string | undefined; readonly message?: string | undefined; readonly changes?: readonly string[] | undefined; readonly platform?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; readonly body?: Archive | undefined; };
    readonly items: ProgressItem;
  };
  /** Archives images. */
  'GET /images/get': {
    readonly options: { readonly query?: { readonly names?: readonly string[] | undefined; readonly platform?: readonly string[] | undefined; }; };
    readonly bytes: 'raw';
  };
  /** Lists images. */
  'GET /images/json': {
    readonly options: { readonly query?: { readonly all?: boolean | undefined; readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; readonly filter?: string | undefined; readonly 'shared-size'?: boolean | undefined; }; };
    readonly answer: readonly ImageSummary[];
  };
  /** Loads images from an archive. */
  'POST /images/load': {
    readonly options: { readonly query?: { readonly quiet?: boolean | undefined; readonly platform?: readonly string[] | undefined; }; readonly body: Archive; };
    readonly items: ProgressItem;
  };
  /** Deletes images without a name, or that no container uses. */
  'POST /images/prune': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: ImagesPruned;
  };
  /** Searches a registry. */
  'GET /images/search': {
    readonly options: { readonly query?: { readonly term?: string | undefined; readonly limit?: number | undefined; readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; };
    readonly answer: readonly SearchResult[];
  };
  /** Removes a name of an image, and the image with its last one. */
  'DELETE /images/{name}': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly force?: boolean | undefined; readonly noprune?: boolean | undefined; readonly platforms?: readonly string[] | undefined; }; };
    readonly answer: readonly ImageRemoved[];
  };
  /** Archives an image. */
  'GET /images/{name}/get': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly platform?: readonly string[] | undefined; }; };
    readonly bytes: 'raw';
  };
  /** Lists the steps that an image was made by. */
  'GET /images/{name}/history': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly platform?: readonly string[] | undefined; }; };
    readonly answer: readonly ImageHistoryItem[];
  };
  /** Describes an image. */
  'GET /images/{name}/json': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly platform?: readonly string[] | undefined; readonly manifests?: boolean | undefined; }; };
    readonly answer: ImageDetails;
  };
  /** Pushes an image. */
  'POST /images/{name}/push': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly tag?: string | undefined; readonly platform?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; };
    readonly items: Readonly<Record<string, unknown>>;
  };
  /** Gives an image a further name. */
  'POST /images/{name}/tag': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly repo?: string | undefined; readonly tag?: string | undefined; }; };
    readonly answer: undefined;
  };
  /** Describes engine and host. */
  'GET /info': {
    readonly options: {  };
    readonly answer: SystemInfo;
  };
  /** Lists networks. */
  'GET /networks': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly NetworkDetails[];
  };
  /** Creates a network. */
  'POST /networks/create': {
    readonly options: { readonly body: NetworkCreateBody; };
    readonly answer: NetworkCreated;
  };
  /** Removes networks without containers. */
  'POST /networks/prune': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: NetworksPruned;
  };
  /** Describes a network. */
  'GET /networks/{id}': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly verbose?: boolean | undefined; readonly scope?: string | undefined; }; };
    readonly answer: NetworkDetails;
  };
  /** Removes a network. */
  'DELETE /networks/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: undefined;
  };
  /** Connects a container with a network. */
  'POST /networks/{id}/connect': {
    readonly options: { readonly path: { readonly id: string; }; readonly body: NetworkConnectBody; };
    readonly answer: undefined;
  };
  /** Disconnects a container from a network. */
  'POST /networks/{id}/disconnect': {
    readonly options: { readonly path: { readonly id: string; }; readonly body: NetworkDisconnectBody; };
    readonly answer: undefined;
  };
  /** Lists nodes. */
  'GET /nodes': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly NodeDetails[];
  };
  /** Describes a node. */
  'GET /nodes/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: NodeDetails;
  };
  /** Removes a node. */
  'DELETE /nodes/{id}': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly force?: boolean | undefined; }; };
    readonly answer: undefined;
  };
  /** Changes a node. */
  'POST /nodes/{id}/update': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly version: number; }; readonly body: NodeSpec; };
    readonly answer: undefined;
  };
  /** This document. */
  'GET /openapi.json': {
    readonly options: {  };
    readonly answer: unknown;
  };
  /** Lists plugins. */
  'GET /plugins': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly PluginDetails[];
  };
  /** Makes a plugin of an archive with its configuration and root file system. */
  'POST /plugins/create': {
    readonly options: { readonly query?: { readonly name?: string | undefined; }; readonly body: Archive; };
    readonly answer: undefined;
  };
  /** Says what a plugin of a registry wants to be allowed. */
  'GET /plugins/privileges': {
    readonly options: { readonly query?: { readonly remote?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; };
    readonly answer: readonly {
  readonly Name: string;
  readonly Description?: string | undefined;
  readonly Value: readonly string[];
}[] | null;
  };
  /** Installs a plugin. */
  'POST /plugins/pull': {
    readonly options: { readonly query?: { readonly remote?: string | undefined; readonly name?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; readonly body?: PluginPrivileges | undefined; };
    readonly items: Readonly<Record<string, unknown>>;
  };
  /** Describes a plugin, in the form of API 1.24. */
  'GET /plugins/{name}': {
    readonly options: { readonly path: { readonly name: string; }; };
    readonly answer: unknown;
  };
  /** Removes a plugin. */
  'DELETE /plugins/{name}': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly force?: boolean | undefined; readonly data?: boolean | undefined; }; };
    readonly answer: undefined;
  };
  /** Stops a plugin. */
  'POST /plugins/{name}/disable': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly force?: boolean | undefined; }; };
    readonly answer: undefined;
  };
  /** Starts a plugin. */
  'POST /plugins/{name}/enable': {
    readonly options: { readonly path: { readonly name: string; }; };
    readonly answer: undefined;
  };
  /** Describes a plugin. */
  'GET /plugins/{name}/json': {
    readonly options: { readonly path: { readonly name: string; }; };
    readonly answer: PluginDetails;
  };
  /** Pushes a plugin to a registry. */
  'POST /plugins/{name}/push': {
    readonly options: { readonly path: { readonly name: string; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; };
    readonly items: Readonly<Record<string, unknown>>;
  };
  /** Changes settings of a plugin. */
  'POST /plugins/{name}/set': {
    readonly options: { readonly path: { readonly name: string; }; readonly body: readonly string[]; };
    readonly answer: undefined;
  };
  /** Replaces a plugin by another version. */
  'POST /plugins/{name}/upgrade': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly remote?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; readonly body?: PluginPrivileges | undefined; };
    readonly answer: undefined;
  };
  /** Lists secrets. */
  'GET /secrets': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly SealedDetails[];
  };
  /** Creates a secret. */
  'POST /secrets/create': {
    readonly options: { readonly body: SealedSpec; };
    readonly answer: ObjectCreated;
  };
  /** Describes a secret. */
  'GET /secrets/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: SealedDetails;
  };
  /** Deletes a secret. */
  'DELETE /secrets/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: undefined;
  };
  /** Changes the labels of a secret. */
  'POST /secrets/{id}/update': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly version: number; }; readonly body: SealedSpec; };
    readonly answer: undefined;
  };
  /** Lists services. */
  'GET /services': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; readonly status?: boolean | undefined; }; };
    readonly answer: readonly ServiceDetails[];
  };
  /** Creates a service. */
  'POST /services/create': {
    readonly options: { readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; readonly body: ServiceSpec; };
    readonly answer: ServiceCreated;
  };
  /** Describes a service. */
  'GET /services/{id}': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly insertDefaults?: boolean | undefined; }; };
    readonly answer: ServiceDetails;
  };
  /** Removes a service with its tasks. */
  'DELETE /services/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: undefined;
  };
  /** Sends what the tasks of a service wrote. */
  'GET /services/{id}/logs': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly stdout?: boolean | undefined; readonly stderr?: boolean | undefined; readonly since?: string | undefined; readonly tail?: string | undefined; readonly follow?: boolean | undefined; readonly timestamps?: boolean | undefined; readonly details?: boolean | undefined; }; };
    readonly bytes: 'raw';
  };
  /** Changes a service. */
  'POST /services/{id}/update': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly version: number; readonly rollback?: string | undefined; readonly registryAuthFrom?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; readonly body: ServiceSpec; };
    readonly answer: ServiceUpdated;
  };
  /** Takes a client as session of a build. */
  'POST /session': {
    readonly options: {  };
    readonly bytes: 'raw';
  };
  /** Describes the swarm. */
  'GET /swarm': {
    readonly options: {  };
    readonly answer: SwarmDetails;
  };
  /** Begins a swarm; the answer is the id of this node. */
  'POST /swarm/init': {
    readonly options: { readonly body: SwarmInitBody; };
    readonly answer: string;
  };
  /** Joins a swarm. */
  'POST /swarm/join': {
    readonly options: { readonly body: SwarmJoinBody; };
    readonly answer: undefined;
  };
  /** Leaves the swarm. */
  'POST /swarm/leave': {
    readonly options: { readonly query?: { readonly force?: boolean | undefined; }; };
    readonly answer: undefined;
  };
  /** Unlocks this manager. */
  'POST /swarm/unlock': {
    readonly options: { readonly body: SwarmUnlockBody; };
    readonly answer: undefined;
  };
  /** Sends the key that unlocks managers. */
  'GET /swarm/unlockkey': {
    readonly options: {  };
    readonly answer: UnlockKey;
  };
  /** Changes the swarm. */
  'POST /swarm/update': {
    readonly options: { readonly query: { readonly version: number; readonly rotateWorkerToken?: boolean | undefined; readonly rotateManagerToken?: boolean | undefined; readonly rotateManagerUnlockKey?: boolean | undefined; }; readonly body: SwarmUpdateBody; };
    readonly answer: undefined;
  };
  /** Measures what is on the disk. */
  'GET /system/df': {
    readonly options: { readonly query?: { readonly type?: readonly string[] | undefined; }; };
    readonly answer: DiskUsage;
  };
  /** Lists tasks. */
  'GET /tasks': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly TaskDetails[];
  };
  /** Describes a task. */
  'GET /tasks/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: TaskDetails;
  };
  /** Sends what a task wrote. */
  'GET /tasks/{id}/logs': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly stdout?: boolean | undefined; readonly stderr?: boolean | undefined; readonly since?: string | undefined; readonly tail?: string | undefined; readonly follow?: boolean | undefined; readonly timestamps?: boolean | undefined; readonly details?: boolean | undefined; }; };
    readonly bytes: 'raw';
  };
  /** Says which versions there are. */
  'GET /version': {
    readonly options: {  };
    readonly answer: SystemVersion;
  };
  /** Lists volumes. */
  'GET /volumes': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: VolumeList;
  };
  /** Creates a volume, or answers with the one that has the name. */
  'POST /volumes/create': {
    readonly options: { readonly body?: VolumeCreateBody | undefined; };
    readonly answer: VolumeDetails;
  };
  /** Deletes volumes that no container uses. */
  'POST /volumes/prune': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: VolumesPruned;
  };
  /** Describes a volume. */
  'GET /volumes/{name}': {
    readonly options: { readonly path: { readonly name: string; }; };
    readonly answer: VolumeDetails;
  };
  /** Refused: volumes of a cluster are not supported. */
  'PUT /volumes/{name}': {
    readonly options: { readonly path: { readonly name: string; }; };
    readonly answer: undefined;
  };
  /** Deletes a volume. */
  'DELETE /volumes/{name}': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly force?: boolean | undefined; }; };
    readonly answer: undefined;
  };
}
