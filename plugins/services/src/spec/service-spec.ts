import { type Static, type TSchema, Type } from '@sinclair/typebox';

/**
 * What clients may send when they create or update a service, by the names of the API. Spec: service specification. Every
 * field is optional; what is required, and what values are allowed, `checkServiceSpec` says.
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
const listOf = <S extends TSchema>(item: S) => Type.Optional(Type.Array(item));
const group = <P extends Record<string, TSchema>>(fields: P) => Type.Optional(Type.Object(fields));

const MountSchema = Type.Object({
  Type: text,
  Source: text,
  Target: text,
  ReadOnly: flag,
  Consistency: text,
  BindOptions: group({
    Propagation: text,
    NonRecursive: flag,
    CreateMountpoint: flag,
    ReadOnlyNonRecursive: flag,
    ReadOnlyForceRecursive: flag,
  }),
  VolumeOptions: group({
    NoCopy: flag,
    Subpath: text,
    Labels: textMap,
    DriverConfig: group({ Name: text, Options: textMap }),
  }),
  TmpfsOptions: group({ SizeBytes: whole, Mode: whole, Options: listOf(Type.Array(Type.String())) }),
  ClusterOptions: group({}),
  ImageOptions: group({ Subpath: text }),
});
export type ServiceMount = Read<typeof MountSchema>;

const FileSchema = group({ Name: text, UID: text, GID: text, Mode: whole });

const SecretReferenceSchema = Type.Object({ SecretID: text, SecretName: text, File: FileSchema });
export type SecretReference = Read<typeof SecretReferenceSchema>;

const ConfigReferenceSchema = Type.Object({
  ConfigID: text,
  ConfigName: text,
  File: FileSchema,
  Runtime: group({}),
});
export type ConfigReference = Read<typeof ConfigReferenceSchema>;

const PrivilegesSchema = group({
  CredentialSpec: group({ Config: text, File: text, Registry: text }),
  SELinuxContext: group({ Disable: flag, User: text, Role: text, Type: text, Level: text }),
  Seccomp: group({ Mode: text, Profile: text }),
  AppArmor: group({ Mode: text }),
  NoNewPrivileges: flag,
});

const ContainerSpecSchema = Type.Object({
  Image: text,
  Labels: textMap,
  Command: texts,
  Args: texts,
  Hostname: text,
  Env: texts,
  Dir: text,
  User: text,
  Groups: texts,
  Privileges: PrivilegesSchema,
  Init: flag,
  StopSignal: text,
  TTY: flag,
  OpenStdin: flag,
  ReadOnly: flag,
  Mounts: listOf(MountSchema),
  /** Nanoseconds, as all durations here. */
  StopGracePeriod: whole,
  Healthcheck: group({
    Test: texts,
    Interval: whole,
    Timeout: whole,
    StartPeriod: whole,
    StartInterval: whole,
    Retries: whole,
  }),
  Hosts: texts,
  DNSConfig: group({ Nameservers: texts, Search: texts, Options: texts }),
  Secrets: listOf(SecretReferenceSchema),
  Configs: listOf(ConfigReferenceSchema),
  Isolation: text,
  Sysctls: textMap,
  CapabilityAdd: texts,
  CapabilityDrop: texts,
  Ulimits: listOf(Type.Object({ Name: text, Soft: whole, Hard: whole })),
  OomScoreAdj: whole,
});
export type ContainerSpec = Read<typeof ContainerSpecSchema>;

export const GenericResourceSchema = Type.Object({
  NamedResourceSpec: group({ Kind: text, Value: text }),
  DiscreteResourceSpec: group({ Kind: text, Value: whole }),
});

const RestartPolicySchema = Type.Object({ Condition: text, Delay: whole, MaxAttempts: whole, Window: whole });
export type RestartPolicy = Read<typeof RestartPolicySchema>;

const PlacementSchema = Type.Object({
  Constraints: texts,
  Preferences: listOf(Type.Object({ Spread: group({ SpreadDescriptor: text }) })),
  MaxReplicas: whole,
  Platforms: listOf(Type.Object({ Architecture: text, OS: text })),
});
export type Placement = Read<typeof PlacementSchema>;

const NetworkSchema = Type.Object({ Target: text, Aliases: texts, DriverOpts: textMap });
export type NetworkAttachment = Read<typeof NetworkSchema>;

const ResourcesSchema = Type.Object({
  Limits: group({
    NanoCPUs: whole,
    MemoryBytes: whole,
    Pids: whole,
    GenericResources: listOf(GenericResourceSchema),
  }),
  Reservations: group({ NanoCPUs: whole, MemoryBytes: whole, GenericResources: listOf(GenericResourceSchema) }),
});

export const TaskSpecSchema = Type.Object({
  ContainerSpec: Type.Optional(ContainerSpecSchema),
  PluginSpec: group({}),
  NetworkAttachmentSpec: group({}),
  Resources: Type.Optional(ResourcesSchema),
  RestartPolicy: Type.Optional(RestartPolicySchema),
  Placement: Type.Optional(PlacementSchema),
  Networks: listOf(NetworkSchema),
  LogDriver: group({ Name: text, Options: textMap }),
  ForceUpdate: whole,
  Runtime: text,
});
export type TaskSpec = Read<typeof TaskSpecSchema>;
export type LogDriver = NonNullable<TaskSpec['LogDriver']>;

const UpdateConfigSchema = Type.Object({
  Parallelism: whole,
  Delay: whole,
  FailureAction: text,
  Monitor: whole,
  MaxFailureRatio: Type.Optional(Type.Number()),
  Order: text,
});
export type UpdateConfig = Read<typeof UpdateConfigSchema>;

export const PortSchema = Type.Object({
  Name: text,
  Protocol: text,
  TargetPort: whole,
  PublishedPort: whole,
  PublishMode: text,
});
export type PortConfig = Read<typeof PortSchema>;

export const EndpointSpecSchema = Type.Object({ Mode: text, Ports: listOf(PortSchema) });
export type EndpointSpec = Read<typeof EndpointSpecSchema>;

const ModeSchema = Type.Object({
  Replicated: group({ Replicas: whole }),
  Global: group({}),
  ReplicatedJob: group({ MaxConcurrent: whole, TotalCompletions: whole }),
  GlobalJob: group({}),
});

/** Spec: POST /services/create. */
export const ServiceSpecSchema = Type.Object({
  Name: text,
  Labels: textMap,
  TaskTemplate: Type.Optional(TaskSpecSchema),
  Mode: Type.Optional(ModeSchema),
  UpdateConfig: Type.Optional(UpdateConfigSchema),
  RollbackConfig: Type.Optional(UpdateConfigSchema),
  Networks: listOf(NetworkSchema),
  EndpointSpec: Type.Optional(EndpointSpecSchema),
});
export type ServiceSpec = Read<typeof ServiceSpecSchema>;
