import { content, named, type Operations, parameter } from '@gantry/core/http';
import { type TSchema, Type } from '@sinclair/typebox';

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const text = Type.String();
const words = Type.Array(Type.String());
const record = Type.Record(Type.String(), Type.Unknown());

const Version = named(
  'SystemVersion',
  Type.Object({
    Platform: Type.Object({ Name: text }),
    Components: Type.Array(
      Type.Object({ Name: text, Version: text, Details: Type.Optional(Type.Record(Type.String(), text)) }),
    ),
    Version: text,
    ApiVersion: text,
    MinAPIVersion: text,
    GitCommit: text,
    GoVersion: text,
    Os: text,
    Arch: text,
    KernelVersion: text,
    BuildTime: text,
  }),
);

const Info = named(
  'SystemInfo',
  Type.Object(
    {
      ID: text,
      Name: text,
      ServerVersion: text,
      Architecture: text,
      OSType: text,
      OperatingSystem: text,
      OSVersion: text,
      KernelVersion: text,
      NCPU: Type.Integer(),
      MemTotal: Type.Integer(),
      SystemTime: text,
      Containers: Type.Integer(),
      ContainersRunning: Type.Integer(),
      ContainersPaused: Type.Integer(),
      ContainersStopped: Type.Integer(),
      Images: Type.Integer(),
      Driver: text,
      DriverStatus: nullable(Type.Array(words)),
      Plugins: Type.Object({ Volume: words, Network: words, Authorization: nullable(words), Log: words }),
      LoggingDriver: text,
      CgroupDriver: text,
      CgroupVersion: text,
      DefaultRuntime: text,
      Runtimes: record,
      SecurityOptions: nullable(words),
      Labels: nullable(words),
      Debug: Type.Boolean(),
      ExperimentalBuild: Type.Boolean(),
      LiveRestoreEnabled: Type.Boolean(),
      Swarm: record,
      Warnings: nullable(words),
    },
    { description: 'the fields that clients use; others are not described' },
  ),
);

const Usage = named(
  'DiskUsage',
  Type.Object({
    LayersSize: Type.Integer(),
    Images: nullable(Type.Array(record)),
    Containers: nullable(Type.Array(record)),
    Volumes: nullable(Type.Array(record)),
    BuildCache: nullable(Type.Array(record)),
  }),
);

/** What the routes of the engine as a whole do. */
export const operations: Operations = {
  'GET /_ping': {
    summary: 'Answers OK; headers say which version of the API there is',
    answers: { 200: content.text },
  },
  'GET /version': { summary: 'Says which versions there are', answers: { 200: content.json(Version) } },
  'GET /info': { summary: 'Describes engine and host', answers: { 200: content.json(Info) } },
  'GET /system/df': {
    summary: 'Measures what is on the disk',
    query: { type: parameter.texts('container, image, volume and build-cache; all without it') },
    answers: { 200: content.json(Usage) },
  },
};
