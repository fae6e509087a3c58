// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

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
  readonly HostConfig: HostConfig;
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

export type EndpointSettings = {
  readonly IPAMConfig: {
    readonly IPv4Address?: string | undefined;
    readonly IPv6Address?: string | undefined;
    readonly LinkLocalIPs?: readonly string[] | undefined;
  } | null;
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

export type ExitStatus = {
  readonly StatusCode: number;
  readonly Error?: {
    readonly Message: string;
  } | null | undefined;
};

export type HostConfig = {
  readonly CpuShares?: number | null | undefined;
  readonly CpuPeriod?: number | null | undefined;
  readonly CpuQuota?: number | null | undefined;
  readonly CpuRealtimePeriod?: number | null | undefined;
  readonly CpuRealtimeRuntime?: number | null | undefined;
  readonly CpusetCpus?: string | null | undefined;
  readonly CpusetMems?: string | null | undefined;
  readonly NanoCpus?: number | null | undefined;
  readonly Memory?: number | null | undefined;
  readonly MemorySwap?: number | null | undefined;
  readonly MemoryReservation?: number | null | undefined;
  readonly KernelMemory?: number | null | undefined;
  readonly BlkioWeight?: number | null | undefined;
  readonly PidsLimit?: number | null | undefined;
  readonly Binds?: readonly string[] | null | undefined;
  readonly Tmpfs?: Readonly<Record<string, string>> | null | undefined;
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
  }[] | null | undefined;
  readonly Links?: readonly string[] | null | undefined;
  readonly CpuPercent?: number | null | undefined;
  readonly CpuCount?: number | null | undefined;
  readonly IOMaximumBandwidth?: number | null | undefined;
  readonly IOMaximumIOps?: number | null | undefined;
  readonly BlkioWeightDevice?: readonly {
    readonly Path?: string | undefined;
    readonly Weight?: number | undefined;
  }[] | null | undefined;
  readonly BlkioDeviceReadBps?: readonly {
    readonly Path?: string | undefined;
    readonly Rate?: number | undefined;
  }[] | null | undefined;
  readonly BlkioDeviceWriteBps?: readonly {
    readonly Path?: string | undefined;
    readonly Rate?: number | undefined;
  }[] | null | undefined;
  readonly BlkioDeviceReadIOps?: readonly {
    readonly Path?: string | undefined;
    readonly Rate?: number | undefined;
  }[] | null | undefined;
  readonly BlkioDeviceWriteIOps?: readonly {
    readonly Path?: string | undefined;
    readonly Rate?: number | undefined;
  }[] | null | undefined;
  readonly MemorySwappiness?: number | null | undefined;
  readonly OomKillDisable?: boolean | null | undefined;
  readonly OomScoreAdj?: number | null | undefined;
  readonly PidMode?: string | null | undefined;
  readonly IpcMode?: string | null | undefined;
  readonly UTSMode?: string | null | undefined;
  readonly UsernsMode?: string | null | undefined;
  readonly CgroupnsMode?: string | null | undefined;
  readonly Cgroup?: string | null | undefined;
  readonly PortBindings?: Readonly<Record<string, readonly {
    readonly HostIp?: string | undefined;
    readonly HostPort?: string | undefined;
  }[]>> | null | undefined;
  readonly PublishAllPorts?: boolean | null | undefined;
  readonly Privileged?: boolean | null | undefined;
  readonly ReadonlyRootfs?: boolean | null | undefined;
  readonly Dns?: readonly string[] | null | undefined;
  readonly DnsOptions?: readonly string[] | null | undefined;
  readonly DnsSearch?: readonly string[] | null | undefined;
  readonly ExtraHosts?: readonly string[] | null | undefined;
  readonly VolumesFrom?: readonly string[] | null | undefined;
  readonly CapAdd?: readonly string[] | null | undefined;
  readonly CapDrop?: readonly string[] | null | undefined;
  readonly GroupAdd?: readonly string[] | null | undefined;
  readonly RestartPolicy?: {
    readonly Name?: string | undefined;
    readonly MaximumRetryCount?: number | undefined;
  } | null | undefined;
  readonly NetworkMode?: string | null | undefined;
  readonly Devices?: readonly {
    readonly PathOnHost?: string | undefined;
    readonly PathInContainer?: string | undefined;
    readonly CgroupPermissions?: string | undefined;
  }[] | null | undefined;
  readonly DeviceCgroupRules?: readonly string[] | null | undefined;
  readonly DeviceRequests?: readonly {
    readonly Driver?: string | undefined;
    readonly Count?: number | undefined;
    readonly DeviceIDs?: readonly string[] | undefined;
    readonly Capabilities?: readonly (readonly string[])[] | undefined;
    readonly Options?: Readonly<Record<string, string>> | undefined;
  }[] | null | undefined;
  readonly Ulimits?: readonly {
    readonly Name?: string | undefined;
    readonly Soft?: number | undefined;
    readonly Hard?: number | undefined;
  }[] | null | undefined;
  readonly Sysctls?: Readonly<Record<string, string>> | null | undefined;
  readonly SecurityOpt?: readonly string[] | null | undefined;
  readonly StorageOpt?: Readonly<Record<string, string>> | null | undefined;
  readonly LogConfig?: {
    readonly Type?: string | undefined;
    readonly Config?: Readonly<Record<string, string>> | undefined;
  } | null | undefined;
  readonly CgroupParent?: string | null | undefined;
  readonly VolumeDriver?: string | null | undefined;
  readonly ShmSize?: number | null | undefined;
  readonly ConsoleSize?: readonly number[] | null | undefined;
  readonly ContainerIDFile?: string | null | undefined;
  readonly Runtime?: string | null | undefined;
  readonly Isolation?: string | null | undefined;
  readonly Init?: boolean | null | undefined;
  readonly AutoRemove?: boolean | null | undefined;
  readonly MaskedPaths?: readonly string[] | null | undefined;
  readonly ReadonlyPaths?: readonly string[] | null | undefined;
  readonly Annotations?: Readonly<Record<string, string>> | null | undefined;
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

export type NetworkDisconnectBody = {
  readonly Container?: string | undefined;
  readonly Force?: boolean | undefined;
};

export type ProcessList = {
  readonly Titles: readonly string[];
  readonly Processes: readonly (readonly string[])[];
};

export interface ContainersRoutes {
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
}
