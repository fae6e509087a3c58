import { type Static, type TSchema, Type } from '@sinclair/typebox';

/**
 * What clients may send when they create or update a container, by the names of the API. Spec: container create
 * configuration, HostConfig. Every field is optional; `null` counts as absent and unknown keys are ignored, which the
 * decoder sees to before it checks against these schemas.
 */

type Deep<T> = T extends readonly (infer E)[]
  ? readonly Deep<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Deep<T[K]> }
    : T;
type Read<S extends TSchema> = Deep<Static<S>>;

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const whole = Type.Optional(Type.Integer());
const texts = Type.Optional(Type.Array(Type.String()));
const textMap = Type.Optional(Type.Record(Type.String(), Type.String()));
/** A map that is used as a set: `{ "80/tcp": {} }`. */
const setOf = Type.Optional(Type.Record(Type.String(), Type.Object({})));
const listOf = <S extends TSchema>(item: S) => Type.Optional(Type.Array(item));

const HealthcheckSchema = Type.Object({
  Test: texts,
  /** Nanoseconds, as the other times. */
  Interval: whole,
  Timeout: whole,
  StartPeriod: whole,
  StartInterval: whole,
  Retries: whole,
});
export type Healthcheck = Read<typeof HealthcheckSchema>;

const commandLine = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));

export const ContainerConfigBodySchema = Type.Object({
  Hostname: text,
  Domainname: text,
  User: text,
  AttachStdin: flag,
  AttachStdout: flag,
  AttachStderr: flag,
  Tty: flag,
  OpenStdin: flag,
  StdinOnce: flag,
  Env: texts,
  Labels: textMap,
  Cmd: commandLine,
  Entrypoint: commandLine,
  Image: text,
  Volumes: setOf,
  Healthcheck: Type.Optional(HealthcheckSchema),
  WorkingDir: text,
  NetworkDisabled: flag,
  MacAddress: text,
  ExposedPorts: setOf,
  StopSignal: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  /** Seconds; API 1.25. */
  StopTimeout: whole,
  OnBuild: texts,
  Shell: texts,
  ArgsEscaped: flag,
});
/** The configuration as a client wrote it. */
export type ContainerConfigBody = Read<typeof ContainerConfigBodySchema>;

/** The configuration as it is kept: merged with the image's, command lines as lists, the signal as a word. */
export type ContainerConfig = Omit<ContainerConfigBody, 'Cmd' | 'Entrypoint' | 'StopSignal'> & {
  readonly Cmd?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly StopSignal?: string;
};

const RestartPolicySchema = Type.Object({ Name: text, MaximumRetryCount: whole });
export type RestartPolicy = Read<typeof RestartPolicySchema>;

const LogConfigSchema = Type.Object({ Type: text, Config: textMap });
export type LogConfig = Read<typeof LogConfigSchema>;

const PortBindingSchema = Type.Object({ HostIp: text, HostPort: text });
export type PortBinding = Read<typeof PortBindingSchema>;

const DeviceMappingSchema = Type.Object({ PathOnHost: text, PathInContainer: text, CgroupPermissions: text });
export type DeviceMapping = Read<typeof DeviceMappingSchema>;

const UlimitSchema = Type.Object({ Name: text, Soft: whole, Hard: whole });
export type Ulimit = Read<typeof UlimitSchema>;

const WeightDeviceSchema = Type.Object({ Path: text, Weight: whole });

const ThrottleDeviceSchema = Type.Object({ Path: text, Rate: whole });

/** The `--mount` form of API 1.25; clients that speak 1.24 use `Binds` and `Tmpfs`. */
export const MountSchema = Type.Object({
  Type: text,
  Source: text,
  Target: text,
  ReadOnly: flag,
  Consistency: text,
  BindOptions: Type.Optional(
    Type.Object({
      Propagation: text,
      NonRecursive: flag,
      CreateMountpoint: flag,
      ReadOnlyNonRecursive: flag,
      ReadOnlyForceRecursive: flag,
    }),
  ),
  VolumeOptions: Type.Optional(
    Type.Object({
      NoCopy: flag,
      Subpath: text,
      Labels: textMap,
      DriverConfig: Type.Optional(Type.Object({ Name: text, Options: textMap })),
    }),
  ),
  ImageOptions: Type.Optional(Type.Object({ Subpath: text })),
  TmpfsOptions: Type.Optional(
    Type.Object({ SizeBytes: whole, Mode: whole, Options: Type.Optional(Type.Array(Type.Array(Type.String()))) }),
  ),
});
export type Mount = Read<typeof MountSchema>;

/** Limits that `update` takes too. */
const resourceFields = {
  CpuShares: whole,
  CpuPeriod: whole,
  CpuQuota: whole,
  CpuRealtimePeriod: whole,
  CpuRealtimeRuntime: whole,
  CpusetCpus: text,
  CpusetMems: text,
  /** Thousand-millionths of a CPU; API 1.25. */
  NanoCpus: whole,
  Memory: whole,
  MemorySwap: whole,
  MemoryReservation: whole,
  KernelMemory: whole,
  BlkioWeight: whole,
  PidsLimit: whole,
};

export const HostConfigSchema = Type.Object({
  ...resourceFields,
  Binds: texts,
  Tmpfs: textMap,
  Mounts: listOf(MountSchema),
  Links: texts,
  CpuPercent: whole,
  CpuCount: whole,
  IOMaximumBandwidth: whole,
  IOMaximumIOps: whole,
  BlkioWeightDevice: listOf(WeightDeviceSchema),
  BlkioDeviceReadBps: listOf(ThrottleDeviceSchema),
  BlkioDeviceWriteBps: listOf(ThrottleDeviceSchema),
  BlkioDeviceReadIOps: listOf(ThrottleDeviceSchema),
  BlkioDeviceWriteIOps: listOf(ThrottleDeviceSchema),
  MemorySwappiness: whole,
  OomKillDisable: flag,
  OomScoreAdj: whole,
  PidMode: text,
  IpcMode: text,
  UTSMode: text,
  UsernsMode: text,
  CgroupnsMode: text,
  Cgroup: text,
  PortBindings: Type.Optional(Type.Record(Type.String(), Type.Array(PortBindingSchema))),
  PublishAllPorts: flag,
  Privileged: flag,
  ReadonlyRootfs: flag,
  Dns: texts,
  DnsOptions: texts,
  DnsSearch: texts,
  ExtraHosts: texts,
  VolumesFrom: texts,
  CapAdd: texts,
  CapDrop: texts,
  GroupAdd: texts,
  RestartPolicy: Type.Optional(RestartPolicySchema),
  NetworkMode: text,
  Devices: listOf(DeviceMappingSchema),
  DeviceCgroupRules: texts,
  DeviceRequests: listOf(
    Type.Object({
      Driver: text,
      Count: whole,
      DeviceIDs: texts,
      Capabilities: listOf(Type.Array(Type.String())),
      Options: textMap,
    }),
  ),
  Ulimits: listOf(UlimitSchema),
  Sysctls: textMap,
  SecurityOpt: texts,
  StorageOpt: textMap,
  LogConfig: Type.Optional(LogConfigSchema),
  CgroupParent: text,
  VolumeDriver: text,
  ShmSize: whole,
  ConsoleSize: listOf(Type.Integer()),
  ContainerIDFile: text,
  Runtime: text,
  Isolation: text,
  Init: flag,
  AutoRemove: flag,
  MaskedPaths: texts,
  ReadonlyPaths: texts,
  Annotations: textMap,
});
export type HostConfig = Read<typeof HostConfigSchema>;

const EndpointSettingsSchema = Type.Object({
  IPAMConfig: Type.Optional(Type.Object({ IPv4Address: text, IPv6Address: text, LinkLocalIPs: texts })),
  Links: texts,
  Aliases: texts,
  MacAddress: text,
  DriverOpts: textMap,
  GwPriority: whole,
});

const NetworkingConfigSchema = Type.Object({
  EndpointsConfig: Type.Optional(Type.Record(Type.String(), EndpointSettingsSchema)),
});
type NetworkingConfig = Read<typeof NetworkingConfigSchema>;

/** POST /containers/create. */
export const CreateBodySchema = Type.Composite([
  ContainerConfigBodySchema,
  Type.Object({
    HostConfig: Type.Optional(HostConfigSchema),
    NetworkingConfig: Type.Optional(NetworkingConfigSchema),
  }),
]);
export type CreateBody = ContainerConfigBody & {
  readonly HostConfig?: HostConfig;
  readonly NetworkingConfig?: NetworkingConfig;
};

/** POST /networks/(id)/connect. */
export const ConnectBodySchema = Type.Object({
  Container: text,
  EndpointConfig: Type.Optional(EndpointSettingsSchema),
});

/** POST /networks/(id)/disconnect. */
export const DisconnectBodySchema = Type.Object({ Container: text, Force: flag });

/** POST /containers/(id)/update. */
export const UpdateBodySchema = Type.Object({
  ...resourceFields,
  RestartPolicy: Type.Optional(RestartPolicySchema),
});
export type UpdateBody = Read<typeof UpdateBodySchema>;
