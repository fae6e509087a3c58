import { named } from '@gantry/core/http';
import { type TSchema, Type } from '@sinclair/typebox';
import { HostConfigSchema } from '../schema.js';

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const text = Type.String();
const texts = Type.Array(Type.String());
const textMap = Type.Record(Type.String(), Type.String());

/** Completed; what was not given may be null. */
const HostConfig = named(
  'HostConfig',
  Type.Object(
    Object.fromEntries(
      Object.entries(HostConfigSchema.properties).map(([name, schema]) => [name, Type.Optional(nullable(schema))]),
    ),
  ),
);

const Endpoint = named(
  'EndpointSettings',
  Type.Object({
    IPAMConfig: nullable(
      Type.Object({
        IPv4Address: Type.Optional(text),
        IPv6Address: Type.Optional(text),
        LinkLocalIPs: Type.Optional(texts),
      }),
    ),
    Links: nullable(texts),
    Aliases: nullable(texts),
    DriverOpts: nullable(textMap),
    GwPriority: Type.Integer(),
    NetworkID: text,
    EndpointID: text,
    Gateway: text,
    IPAddress: text,
    IPPrefixLen: Type.Integer(),
    IPv6Gateway: text,
    GlobalIPv6Address: text,
    GlobalIPv6PrefixLen: Type.Integer(),
    MacAddress: text,
    DNSNames: nullable(texts),
  }),
);

const Mount = named(
  'MountPoint',
  Type.Object({
    Type: text,
    Name: Type.Optional(text),
    Source: text,
    Destination: text,
    Driver: Type.Optional(text),
    Mode: text,
    RW: Type.Boolean(),
    Propagation: text,
  }),
);

const State = named(
  'ContainerState',
  Type.Object({
    Status: Type.Union(
      ['created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead'].map((status) =>
        Type.Literal(status),
      ),
    ),
    Running: Type.Boolean(),
    Paused: Type.Boolean(),
    Restarting: Type.Boolean(),
    OOMKilled: Type.Boolean(),
    Dead: Type.Boolean(),
    Pid: Type.Integer(),
    ExitCode: Type.Integer(),
    Error: text,
    StartedAt: text,
    FinishedAt: text,
    Health: Type.Optional(
      Type.Object({
        Status: text,
        FailingStreak: Type.Integer(),
        Log: Type.Array(Type.Object({ Start: text, End: text, ExitCode: Type.Integer(), Output: text })),
      }),
    ),
  }),
);

const PortBinding = Type.Object({ HostIp: text, HostPort: text });

/** One of GET /containers/json. */
export const ContainerSummary = named(
  'ContainerSummary',
  Type.Object({
    Id: text,
    Names: texts,
    Image: text,
    ImageID: text,
    Command: text,
    Created: Type.Integer({ description: 'seconds since 1970' }),
    Ports: Type.Array(
      Type.Object({
        IP: Type.Optional(text),
        PrivatePort: Type.Integer(),
        PublicPort: Type.Optional(Type.Integer()),
        Type: text,
      }),
    ),
    SizeRw: Type.Optional(Type.Integer()),
    SizeRootFs: Type.Optional(Type.Integer()),
    Labels: textMap,
    State: text,
    Status: text,
    HostConfig: Type.Object({ NetworkMode: text }),
    NetworkSettings: Type.Object({ Networks: Type.Record(Type.String(), Endpoint) }),
    Mounts: Type.Array(Mount),
  }),
);

/** GET /containers/(id)/json. */
export const ContainerDetails = named(
  'ContainerDetails',
  Type.Object({
    Id: text,
    Created: text,
    Path: text,
    Args: texts,
    State,
    Image: text,
    ResolvConfPath: text,
    HostnamePath: text,
    HostsPath: text,
    LogPath: text,
    Name: text,
    RestartCount: Type.Integer(),
    Driver: text,
    Platform: text,
    MountLabel: text,
    ProcessLabel: text,
    AppArmorProfile: text,
    ExecIDs: nullable(texts),
    HostConfig,
    GraphDriver: Type.Object({ Name: text, Data: nullable(textMap) }),
    SizeRw: Type.Optional(Type.Integer()),
    SizeRootFs: Type.Optional(Type.Integer()),
    Mounts: Type.Array(Mount),
    Config: Type.Object({
      Hostname: text,
      User: text,
      Tty: Type.Boolean(),
      OpenStdin: Type.Boolean(),
      Env: nullable(texts),
      Cmd: nullable(texts),
      Entrypoint: nullable(texts),
      Image: text,
      WorkingDir: text,
      Labels: nullable(textMap),
    }),
    NetworkSettings: Type.Object({
      SandboxID: text,
      SandboxKey: text,
      Ports: Type.Record(Type.String(), nullable(Type.Array(PortBinding))),
      IPAddress: text,
      Gateway: text,
      MacAddress: text,
      Networks: Type.Record(Type.String(), Endpoint),
    }),
  }),
);
